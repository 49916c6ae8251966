"""Notes what stands in one module: classes, functions, calls, literals, and the environment variables it reads."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from axhub.toolkit.check.collect.bindings import Scope, followed, scope_of, shared_in, within
from axhub.toolkit.check.collect.layers import layer_of
from axhub.toolkit.check.collect.names import Names, chain_of
from axhub.toolkit.check.collect.parsing import Parsed
from axhub.toolkit.check.collect.written import annotation_text, argument_text
from axhub.toolkit.facts.service import Call, Class, Function, Import, Literal, Located, Module, Place

__all__ = ["module_of"]

_READERS: Final = frozenset({"os.environ.get", "os.getenv", "os.environ.pop", "os.environ.setdefault"})
_TRANSPARENT: Final = ast.List | ast.Tuple | ast.Set | ast.UnaryOp | ast.BinOp | ast.IfExp | ast.BoolOp
"""What is given to a name through these is given to the name."""
_AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = _AnyFunction | ast.ClassDef | ast.Lambda | ast.GeneratorExp
"""What stands in these waits by itself, if at all."""


def module_of(parsed: Parsed, names: Names, imports: tuple[Import, ...]) -> Module:
    """Return the facts about one module."""
    walk = _Walk(parsed, names)
    walk.visit(parsed.tree)
    layer, part = layer_of(tuple(parsed.name.split(".")[1:]))
    return Module(
        path=parsed.path,
        name=parsed.name,
        layer=layer,
        part=part,
        imports=imports,
        calls=tuple(walk.calls),
        literals=tuple(sorted(walk.literals, key=lambda one: one.place)),
        classes=tuple(walk.classes),
        functions=tuple(walk.functions),
        environment=tuple(walk.environment),
        defaulted=frozenset(walk.defaulted - walk.bare),
        hides_environment=walk.hides_environment,
    )


@dataclass
class _Walk(ast.NodeVisitor):
    """One way through a tree, from top to bottom."""

    parsed: Parsed
    names: Names
    calls: list[Call] = field(default_factory=list)
    literals: list[Literal] = field(default_factory=list)
    classes: list[Class] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    environment: list[Located[str]] = field(default_factory=list)
    bare: set[str] = field(default_factory=set)
    """Variables that are read without a default."""
    defaulted: set[str] = field(default_factory=set)
    hides_environment: bool = False
    _scope: list[str] = field(default_factory=list)
    _function: str = ""
    _own: frozenset[str] = frozenset()
    """Parameters, which hide imports of the same name."""
    _made: dict[str, str] = field(default_factory=dict)
    """Of the function that is walked through; see `Function.made`."""
    _reads: dict[str, Place] = field(default_factory=dict)
    """Of the same function; see `Function.reads`."""
    _given: dict[int, str] = field(default_factory=dict)
    """What an expression is given to, by its identity."""
    _scopes: tuple[Scope, ...] = ()
    _shared: frozenset[str] = frozenset()

    def visit_Module(self, node: ast.Module) -> None:
        self._shared = shared_in(node)
        self._scopes = (scope_of(node, self._shared),)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):  # a docstring is none
            self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.classes.append(self._class(node))
        outer, around = self._function, self._scopes
        self._function, self._scopes = "", within(around, scope_of(node, self._shared))
        self._within(node.name, node)
        self._function, self._scopes = outer, around

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._note_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._note_function(node)

    def visit_Call(self, node: ast.Call) -> None:
        written = chain_of(node.func) or ast.unparse(node.func)
        resolved = self._resolved(written)
        self.calls.append(
            Call(
                callee=written,
                resolved=resolved,
                function=self._function,
                arguments=tuple(argument_text(argument) for argument in node.args),
                keywords={keyword.arg: argument_text(keyword.value) for keyword in node.keywords if keyword.arg},
                place=self.parsed.place(node),
            )
        )
        if self._reader(node.func) in _READERS and node.args:
            self._note_environment(node.args[0], has_default=bool(_defaults_of(node)))
            self._give_default(node)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if self._reader(node.value) == "os.environ":
            self._note_environment(node.slice)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._give(_target(target), node.value)
            self._note_made(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._give(_target(node.target), node.value)
            self._note_made(node.target, node.value)
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if id(node.value) not in self._given:  # else it is the default of a variable
            self._give(node.arg or "", node.value)
        self.generic_visit(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._give(node.target.id, node.value)
        self._note_made(node.target, node.value)
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                self._give(key.value, value)
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        given = self._given.get(id(node), "")
        for part in node.values:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                self.literals.append(Literal(part.value, given, self.parsed.place(node)))
            else:
                self.visit(part)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            self.literals.append(Literal(value, self._given.get(id(node), ""), self.parsed.place(node)))

    def _note_function(self, node: _AnyFunction) -> None:
        made: dict[str, str] = {}
        reads: dict[str, Place] = {}
        self.functions.append(self._described(node, made, reads))
        for name, default in _defaults(node.args):
            self._give(name, default)
        outside, hidden, around, scopes, read = self._function, self._own, self._made, self._scopes, self._reads
        for decorator in node.decorator_list:
            self.visit(decorator)
        self._function = self._qualified(node.name)
        self._own = hidden | {argument.arg for argument in _parameters(node.args)}
        self._made, self._reads = made, reads
        self._scopes = within(scopes, scope_of(node, self._shared))
        self._within(node.name, node, skip=node.decorator_list)
        self._function, self._own, self._made, self._scopes, self._reads = outside, hidden, around, scopes, read

    def _within(self, name: str, node: ast.AST, skip: Iterable[ast.AST] = ()) -> None:
        left_out = {id(one) for one in skip}
        self._scope.append(name)
        for child in ast.iter_child_nodes(node):
            if id(child) not in left_out:
                self.visit(child)
        self._scope.pop()

    def _class(self, node: ast.ClassDef) -> Class:
        constants: dict[str, Located[str]] = {}
        annotations: dict[str, Located[str]] = {}
        computed: dict[str, Place] = {}
        for statement in node.body:
            for name, value in _attributes(statement):
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    constants[name] = Located(value.value, self.parsed.place(value))
                elif isinstance(value, ast.BinOp | ast.JoinedStr):
                    computed[name] = self.parsed.place(value)
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                hint = statement.annotation
                annotations[statement.target.id] = Located(ast.unparse(hint), self.parsed.place(statement))
        return Class(
            name=node.name,
            qualified=self._qualified(node.name),
            bases=tuple(self._name_of(base) for base in node.bases),
            decorators=tuple(self._name_of(decorator) for decorator in node.decorator_list),
            constants=constants,
            annotations=annotations,
            methods=tuple(statement.name for statement in node.body if isinstance(statement, _AnyFunction)),
            place=self.parsed.place(node),
            held=dict(self._held(node)),
            computed=computed,
        )

    def _held(self, node: ast.ClassDef) -> Iterator[tuple[str, str]]:
        """Yield what an instance keeps: fields of a dataclass, and what the constructor is given."""
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and not statement.value:
                yield statement.target.id, annotation_text(statement.annotation, self.names)
            elif isinstance(statement, _AnyFunction) and statement.name == "__init__":
                hints = {one.arg: annotation_text(one.annotation, self.names) for one in _parameters(statement.args)}
                for inner in ast.walk(statement):
                    yield from _kept(inner, hints)

    def _described(self, node: _AnyFunction, made: dict[str, str], reads: dict[str, Place]) -> Function:
        parameters = {
            argument.arg: Located(annotation_text(argument.annotation, self.names), self.parsed.place(argument))
            for argument in _parameters(node.args)
        }
        returns = annotation_text(node.returns, self.names)
        return Function(
            name=node.name,
            qualified=self._qualified(node.name),
            parameters=parameters,
            returns=Located(returns, self.parsed.place(node.returns or node)),
            is_async=isinstance(node, ast.AsyncFunctionDef),
            place=self.parsed.place(node),
            made=made,
            reads=reads,
            awaits=isinstance(node, ast.FunctionDef) and any(map(_awaits, node.body)),
        )

    def _note_made(self, target: ast.expr, value: ast.expr) -> None:
        called = value.value if isinstance(value, ast.Await) else value
        written = chain_of(called.func) if isinstance(called, ast.Call) else None
        if isinstance(target, ast.Name) and written is not None:
            self._made[target.id] = self._resolved(written)

    def _reader(self, node: ast.expr) -> str:
        """Return what is read from, or called to read, with names followed: `os.environ` of `env = os.environ`."""
        rest: list[str] = []
        inner = followed(node, self._scopes)
        while isinstance(inner, ast.Attribute):
            rest.insert(0, inner.attr)
            inner = followed(inner.value, self._scopes)
        return self._resolved(".".join([inner.id, *rest])) if isinstance(inner, ast.Name) else ""

    def _note_environment(self, node: ast.expr, *, has_default: bool = False) -> None:
        name = followed(node, self._scopes)
        if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
            self.hides_environment = True
            return
        place = self.parsed.place(node)
        self.environment.append(Located(name.value, place))
        self._reads.setdefault(name.value, place)
        (self.defaulted if has_default else self.bare).add(name.value)

    def _give_default(self, reader: ast.Call) -> None:
        """Give the default of an environment variable to that variable's name."""
        name = followed(reader.args[0], self._scopes)
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            for default in _defaults_of(reader):
                self._give(name.value, default)

    def _give(self, name: str, value: ast.AST) -> None:
        self._given[id(value)] = name
        if isinstance(value, _TRANSPARENT):
            for child in ast.iter_child_nodes(value):
                self._give(name, child)

    def _resolved(self, written: str) -> str:
        return written if written.partition(".")[0] in self._own else self.names.resolve(written)

    def _name_of(self, node: ast.expr) -> str:
        inner: ast.expr = node
        while isinstance(inner, ast.Subscript | ast.Call):
            inner = inner.value if isinstance(inner, ast.Subscript) else inner.func
        written = chain_of(inner)
        return ast.unparse(node) if written is None else self.names.resolve(written)

    def _qualified(self, name: str) -> str:
        return ".".join([self.parsed.name, *self._scope, name])


def _defaults_of(reader: ast.Call) -> list[ast.expr]:
    return [*reader.args[1:2], *(one.value for one in reader.keywords if one.arg == "default")]


def _target(node: ast.AST) -> str:
    """Return the name, attribute or text key that is assigned to; empty for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case _:
            return ""


def _awaits(node: ast.AST) -> bool:
    """Say whether anything is awaited here, functions inside left out."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Await | ast.AsyncFor | ast.AsyncWith) or getattr(one, "is_async", False):
            return True
        if not isinstance(one, _Scope):
            waiting.extend(ast.iter_child_nodes(one))
    return False


def _kept(node: ast.AST, hints: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the attributes of `self` that a statement of a constructor gives a parameter to."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Name) and node.value.id in hints:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute) and chain_of(target) == f"self.{target.attr}":
                yield target.attr, hints[node.value.id]


def _attributes(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Name):
                yield target.id, statement.value
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        yield statement.target.id, statement.value


def _parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args)
    if arguments.vararg:
        yield arguments.vararg
    yield from arguments.kwonlyargs
    if arguments.kwarg:
        yield arguments.kwarg


def _defaults(arguments: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    plain = (*arguments.posonlyargs, *arguments.args)
    yield from zip((one.arg for one in plain[len(plain) - len(arguments.defaults) :]), arguments.defaults, strict=True)
    for named, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield named.arg, default
