"""Puts tools, definitions, schema resources and the service's settings together (toolkit/T8, decision/D12)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axhub.toolkit.declare import is_output_schema
from axhub.toolkit.facts.service import Definition, Kind, Place, Unusable
from axhub.toolkit.layout import DEFAULT_TIMEOUT_MILLIS, definition_file
from axhub.toolkit.published.definition_file import read_definition
from axhub.toolkit.published.resources import find_resource, schema_problem
from axhub.toolkit.published.schemas import (
    GrowingUnion,
    growing_unions,
    input_schema,
    output_schema,
    rendered_resource,
)
from axhub.toolkit.published.texts import MAX_DESCRIPTION, read_repeat, read_texts, required_env_keys
from axhub.toolkit.published.tool import FoundTool, PublishedTool, Texts
from axhub.toolkit.published.validation import SchemaValidator

__all__ = ["Options", "Published", "Schemas", "definition_path", "publish", "schemas_of"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the service's configuration says about its tools (toolkit/S0)."""

    namespace: str = ""
    """Goes before each name, separator included (decision/D4)."""
    disabled: frozenset[str] = frozenset()
    """Authored names."""
    timeouts_millis: Mapping[str, int] = field(default_factory=dict)
    """By authored name, where it is not the default."""
    default_timeout_millis: int = DEFAULT_TIMEOUT_MILLIS


@dataclass(frozen=True, slots=True)
class Published:
    """What can be served, and why the rest cannot."""

    tools: tuple[PublishedTool, ...]
    """Ascending by published name, drafts (`register=False`) included."""
    problems: tuple[Unusable, ...]


@dataclass(frozen=True, slots=True)
class Schemas:
    """The schemas of one tool, by decision/D12's precedence."""

    input: Mapping[str, Any]
    input_kind: Kind
    model: Mapping[str, Any]
    """Of the request model alone."""
    output: Mapping[str, Any] | None
    output_kind: Kind
    answer: Mapping[str, Any]
    """Of the response model, declared or not."""
    problems: tuple[Unusable, ...] = ()
    """What could not be used; then the schema of the model, or an empty one, stands in its place."""


def publish(tools: tuple[FoundTool, ...], folder: Path, root: Path, options: Options) -> Published:
    """Return the tools with everything that serving them needs.

    Args:
        tools: as `find_tools` returns them.
        folder: the package's folder.
        root: what the paths of places are relative to.
        options: what the configuration says.
    """
    problems: list[Unusable] = []
    done: list[PublishedTool] = []
    for tool in tools:
        one = _publish_one(tool, folder, root, options)
        if isinstance(one, PublishedTool):
            done.append(one)
        else:
            problems += one
    return Published(tuple(sorted(done, key=lambda tool: tool.published_name)), tuple(problems))


def schemas_of(tool: FoundTool, folder: Path, root: Path) -> Schemas:
    """Return the schemas of a tool: a resource where one is named, else its model's."""
    problems: list[Unusable] = []
    model = _of_model(tool, "request", problems)
    answer = _of_model(tool, "response", problems)
    given = _of_resource(tool, "input_schema_resource", folder, root, problems)
    wanted = _of_resource(tool, "output_schema_resource", folder, root, problems)
    marked = is_output_schema(tool.response)
    output_kind = Kind.RESOURCE if wanted is not None else Kind.MODEL if marked else Kind.NONE
    return Schemas(
        input=model if given is None else given,
        input_kind=Kind.MODEL if given is None else Kind.RESOURCE,
        model=model,
        output=wanted if wanted is not None else answer if marked else None,
        output_kind=output_kind,
        answer=answer,
        problems=tuple(problems),
    )


def definition_path(tool: FoundTool) -> str:
    """Return where the definition of a tool stands, below the package's folder."""
    return definition_file(tool.declaration.category_key, tool.name)


def _publish_one(tool: FoundTool, folder: Path, root: Path, options: Options) -> PublishedTool | tuple[Unusable, ...]:
    definition = _definition(tool, folder, root)
    if isinstance(definition, Unusable):
        return (definition,)
    texts = read_texts(definition)
    schemas = schemas_of(tool, folder, root)
    if not isinstance(texts, Texts):
        return (*texts, *schemas.problems)
    problems = (*_too_long(definition, texts), *schemas.problems)
    if problems:
        return problems
    return PublishedTool(
        found=tool,
        published_name=options.namespace + tool.name,
        texts=texts,
        input_schema=schemas.input,
        input_kind=schemas.input_kind,
        output_schema=schemas.output,
        output_kind=schemas.output_kind,
        timeout_millis=options.timeouts_millis.get(tool.name, options.default_timeout_millis),
        enabled=tool.name not in options.disabled,
        repeat=read_repeat(definition),
        required_env_keys=required_env_keys(definition),
        input_validator=SchemaValidator(schemas.input) if schemas.input_kind is Kind.RESOURCE else None,
        output_validator=None if schemas.output is None else SchemaValidator(schemas.output),
    )


def _definition(tool: FoundTool, folder: Path, root: Path) -> Definition | Unusable:
    file = folder / definition_path(tool)
    shown = file.relative_to(root).as_posix() if file.is_relative_to(root) else definition_path(tool)
    if not file.is_file():
        return Unusable("no-definition", tool.place, {"name": tool.name, "path": shown}, tool.name)
    return read_definition(file.read_bytes(), shown)


def _too_long(definition: Definition, texts: Texts) -> tuple[Unusable, ...]:
    count = len(texts.description)
    if count <= MAX_DESCRIPTION:
        return ()
    values = {"count": str(count), "limit": str(MAX_DESCRIPTION), "surplus": str(count - MAX_DESCRIPTION)}
    return (Unusable("long-description", definition.place("/description"), values, definition.stem),)


def _of_model(tool: FoundTool, part: str, problems: list[Unusable]) -> dict[str, Any]:
    try:
        if part == "request" and tool.request is not None:
            problems += (_growing(tool, union) for union in growing_unions(tool.request))
        return input_schema(tool.request) if part == "request" else output_schema(tool.response)
    except ValueError as error:
        problems.append(Unusable("no-schema", tool.place, {"problem": str(error)}, tool.name))
        return {}


def _growing(tool: FoundTool, union: GrowingUnion) -> Unusable:
    values = {"model": union.model, "field": union.field, "branches": " | ".join(union.branches)}
    return Unusable("recursive-union", tool.place, values, tool.name)


def _of_resource(tool: FoundTool, argument: str, folder: Path, root: Path, problems: list[Unusable]) -> Any:
    written = getattr(tool.declaration, argument)
    if not written:
        return None
    resource = find_resource(folder, root, written)
    problem = schema_problem(resource)
    found, place = ("", Place("")) if problem is None else (problem.value, problem.place)
    if problem is None:
        rendered = rendered_resource(resource.schema)
        try:
            SchemaValidator(rendered)
        except ValueError as error:
            found, place = str(error), resource.place()
        else:
            return rendered
    values = {"path": resource.path, "problem": found, "argument": argument}
    problems.append(Unusable("no-resource", place, values, tool.name))
    return None
