"""What is said about declarations that cannot be used, at the start of a service and by the check (toolkit/T1).

`published.discovery` finds them once the package is imported.
"""

from collections.abc import Mapping
from typing import Final

from axhub.toolkit.facts.service import Unusable
from axhub.toolkit.rules.model import Message, Text

__all__ = ["MESSAGES", "SAID_BY_OTHER_RULES", "WIRING", "text_of"]

SAID_BY_OTHER_RULES: Final = frozenset(
    {
        "answer-no-model",
        "definition-value",
        "long-description",
        "no-definition",
        "no-name",
        "no-resource",
        "recursive-union",
        "same-name",
        "unreadable-definition",
    }
)
"""Kinds that stop a service, and that the check reports with rules of their own, such as TK517, TK301, TK403."""

WIRING: Final = frozenset(
    {
        "wiring-annotations",
        "wiring-circle",
        "wiring-no-annotation",
        "wiring-nothing",
        "wiring-raises",
        "wiring-several",
    }
)
"""Kinds of what cannot be given to a tool by type (rule/TK203)."""

MESSAGES: Final[Mapping[str, Message]] = {
    "answer-no-model": Message(
        Text("{function} returns {type}, which is no model", "{function}의 반환 타입 {type}은(는) 모델이 아닙니다"),
        Text(
            "write a class of its own for the answer: class …Response(Output), and return that",
            "응답 전용 클래스 class …Response(Output)을 만들어 그것을 반환하십시오",
        ),
    ),
    "contradiction": Message(
        Text(
            "the decorators @tool and @tool_hint of {function} say different things about {argument}",
            "{function}의 @tool과 @tool_hint에 적은 {argument} 값이 서로 다릅니다",
        ),
        Text("write {argument} in one of them only", "{argument}은(는) 한쪽에만 쓰십시오"),
    ),
    "definition-value": Message(
        Text(
            "the definition's {key} is missing or no {expected}", "정의의 {key}이(가) 없거나 {expected} 값이 아닙니다"
        ),
        Text("write {key} as {expected}", "{key}을(를) {expected} 값으로 적으십시오"),
    ),
    "extra-parameter": Message(
        Text(
            "the parameter {parameter} of {function} is neither the request model nor the ToolContext",
            "{function}의 매개변수 {parameter}은(는) 요청 모델도 ToolContext도 아닙니다",
        ),
        Text(
            "take it in the constructor instead: def __init__(self, {parameter}: {type}) -> None",
            "대신 생성자에서 받으십시오: def __init__(self, {parameter}: {type}) -> None",
        ),
    ),
    "generator": Message(
        Text(
            "{function} yields; a tool answers once", "{function}이(가) yield를 사용합니다. 도구는 한 번만 응답합니다"
        ),
        Text("return one model instead of using yield", "yield 대신 모델 하나를 return 하십시오"),
    ),
    "hidden": Message(
        Text(
            "{function} is a tool whose declaration is not written above it as @tool(…)",
            "{function}은(는) 도구지만 그 위에 @tool(…)이 적혀 있지 않습니다",
        ),
        Text(
            "write the decorators @tool(…) and @tool_hint(…) directly above the function, imported from axhub.toolkit",
            "axhub.toolkit에서 가져온 @tool(…)과 @tool_hint(…)를 함수 바로 위에 적으십시오",
        ),
    ),
    "inside-function": Message(
        Text(
            "{function} is declared inside another function, where nothing can find it",
            "{function}이(가) 다른 함수 안에 선언되어 있어 찾을 수 없습니다",
        ),
        Text("move it to the module or into a class of the module", "모듈이나 모듈의 클래스로 옮기십시오"),
    ),
    "long-description": Message(
        Text(
            "the four parts of the description have {count} characters together, more than {limit}",
            "설명 네 부분의 글자 수는 모두 {count}자로 {limit}자를 넘습니다",
        ),
        Text("shorten them by {surplus}", "{surplus}자를 줄이십시오"),
    ),
    "no-annotation": Message(
        Text(
            "the parameter {parameter} of {function} has no type", "{function}의 매개변수 {parameter}에 타입이 없습니다"
        ),
        Text(
            "write its type: the request model, ToolContext, or the class that it is to be given, such as a client",
            "타입을 적으십시오: 요청 모델, ToolContext, 또는 클라이언트처럼 받아 쓸 클래스",
        ),
    ),
    "no-definition": Message(
        Text("the tool {name} has no definition", "도구 {name}의 정의 파일이 없습니다"),
        Text("write {path}", "{path} 파일을 작성하십시오"),
    ),
    "no-implementer": Message(
        Text(
            "{function} is declared, but no class of the package implements {owner}",
            "{function}이(가) 선언되었지만 {owner}을(를) 구현한 클래스가 패키지에 없습니다",
        ),
        Text(
            "write class {owner}Impl({owner}) with async def {method}(self, …) in it",
            "class {owner}Impl({owner})을 만들고 그 안에 async def {method}(self, …)를 작성하십시오",
        ),
    ),
    "no-name": Message(
        Text(
            "{function} has no tool name: only @tool_hint stands above it, or its name is empty",
            "{function}에 도구 이름이 없습니다. @tool_hint만 있거나 name이 비어 있습니다",
        ),
        Text(
            "write @tool(name=…, title=…, description=…) above it",
            "그 위에 @tool(name=…, title=…, description=…)을 적으십시오",
        ),
    ),
    "no-resource": Message(
        Text(
            "the schema resource {path} cannot be used: {problem}",
            "스키마 리소스 {path}을(를) 쓸 수 없습니다: {problem}",
        ),
        Text(
            "mend the file, or leave {argument} out to publish the model's schema",
            "파일을 고치거나, {argument}을(를) 빼고 모델의 스키마를 게시하십시오",
        ),
    ),
    "no-return": Message(
        Text("{function} does not say what it returns", "{function}에 반환 타입이 없습니다"),
        Text("write the response model: -> …Response", "응답 모델을 적으십시오: -> …Response"),
    ),
    "no-schema": Message(
        Text("no JSON Schema can be made of a model: {problem}", "모델로 JSON Schema를 만들 수 없습니다: {problem}"),
        Text(
            "use types that JSON knows: str, int, bool, list, Literal, date, and models of these",
            "JSON이 아는 타입을 사용하십시오: str, int, bool, list, Literal, date와 이들로 된 모델",
        ),
    ),
    "not-a-method": Message(
        Text("{function} is no method with self: {what}", "{function}은(는) self를 받는 메서드가 아닙니다: {what}"),
        Text(
            "write async def {method}(self, …) without @staticmethod or @classmethod, or a function of the module",
            "@staticmethod와 @classmethod 없이 async def {method}(self, …)로 작성하거나, 모듈의 함수로 만드십시오",
        ),
    ),
    "not-async": Message(
        Text("{function} is not async", "{function}이(가) async가 아닙니다"),
        Text("write async def {method}(…)", "async def {method}(…)로 작성하십시오"),
    ),
    "not-implemented": Message(
        Text(
            "{candidate} inherits from {owner}, but does not implement {method}",
            "{candidate}이(가) {owner}을(를) 상속하지만 {method}을(를) 구현하지 않았습니다",
        ),
        Text("write async def {method}(…) in {candidate}", "{candidate}에 async def {method}(…)를 작성하십시오"),
    ),
    "not-input": Message(
        Text(
            "{type}, the request model of {function}, does not inherit from axhub.toolkit.Input",
            "{function}의 요청 모델 {type}이(가) axhub.toolkit.Input을 상속하지 않습니다",
        ),
        Text("write class {type}(Input)", "class {type}(Input)으로 작성하십시오"),
    ),
    "not-output": Message(
        Text(
            "{type}, the response model of {function}, does not inherit from axhub.toolkit.Output",
            "{function}의 응답 모델 {type}이(가) axhub.toolkit.Output을 상속하지 않습니다",
        ),
        Text("write class {type}(Output)", "class {type}(Output)으로 작성하십시오"),
    ),
    "not-inheriting": Message(
        Text(
            "{candidate} has {method}, but does not inherit from {owner}, which declares it as a tool",
            "{candidate}에 {method}이(가) 있지만 이를 도구로 선언한 {owner}을(를) 상속하지 않습니다",
        ),
        Text("write class {candidate}({owner})", "class {candidate}({owner})로 작성하십시오"),
    ),
    "other-answer": Message(
        Text(
            "{candidate} answers {found}, but {function} declares {declared}",
            "{candidate}의 반환 타입은 {found}인데 {function}의 선언은 {declared}입니다",
        ),
        Text("return {declared} there too", "같은 타입 {declared}을(를) 반환하게 하십시오"),
    ),
    "other-parameters": Message(
        Text(
            "{candidate} takes other parameters than {function} declares: ({found}) instead of ({declared})",
            "{candidate}의 매개변수가 {function}의 선언과 다릅니다: ({declared}) 대신 ({found})",
        ),
        Text("give it the same parameters: ({declared})", "같은 매개변수를 받게 하십시오: ({declared})"),
    ),
    "other-request": Message(
        Text(
            "{candidate} takes {found}, but {function} declares {declared}",
            "{candidate}의 요청 타입은 {found}인데 {function}의 선언은 {declared}입니다",
        ),
        Text("take {declared} there too", "같은 타입 {declared}을(를) 받게 하십시오"),
    ),
    "plain-parameter": Message(
        Text(
            "the parameter {parameter} of {function} is {type}: a tool's arguments come as one request model",
            "{function}의 매개변수 {parameter}의 타입은 {type}입니다. 도구의 인자는 요청 모델 하나로 받습니다",
        ),
        Text(
            "make {parameter}: Annotated[{type}, Desc(…)] a field of class …Request(Input), and take request: …Request",
            "{parameter}: Annotated[{type}, Desc(…)]를 class …Request(Input)에 두고 request: …Request로 받으십시오",
        ),
    ),
    "recursive-union": Message(
        Text(
            "the field {field} of {model} is a union inside itself, {branches}, and nothing says which branch a value "
            "is: reading takes twice as long with every level, so that a few hundred bytes hold up the service",
            "{model}의 {field} 필드는 자기 자신을 포함하는 union({branches})인데 값이 어느 쪽인지 알 수 없습니다. 한 "
            "단계마다 읽는 시간이 두 배가 되어 수백 바이트로도 서비스가 멈춥니다",
        ),
        Text(
            'give each branch a field such as `kind: Literal["…"]`, and write Annotated[{branches}, '
            'Field(discriminator="kind")]',
            '각 클래스에 `kind: Literal["…"]` 같은 필드를 두고 Annotated[{branches}, Field(discriminator="kind")]로 '
            "쓰십시오",
        ),
    ),
    "repeated": Message(
        Text(
            "{function} has more than one @{decorator}; only the upper one counts",
            "{function}에 @{decorator}이(가) 둘 이상 있어 맨 위의 것만 적용됩니다",
        ),
        Text("keep one of them", "하나만 남기십시오"),
    ),
    "replaced": Message(
        Text(
            "{function} is replaced by something else of that name further down",
            "{function}이(가) 아래에서 같은 이름의 다른 것으로 바뀝니다",
        ),
        Text("give one of the two another name", "둘 중 하나의 이름을 바꾸십시오"),
    ),
    "same-name": Message(
        Text(
            "the tool name {name} is declared also at {other}", "도구 이름 {name}이(가) {other}에도 선언되어 있습니다"
        ),
        Text("give each tool a name of its own", "도구마다 고유한 이름을 주십시오"),
    ),
    "star-parameter": Message(
        Text(
            "the parameter {parameter} of {function} cannot be given by name",
            "{function}의 매개변수 {parameter}은(는) 이름으로 전달할 수 없습니다",
        ),
        Text("write plain parameters: no *, ** or /", "*, **, / 없이 일반 매개변수로 작성하십시오"),
    ),
    "stray-self": Message(
        Text(
            "{function} takes self, but stands in no class",
            "{function}이(가) self를 받지만 클래스 안에 있지 않습니다",
        ),
        Text(
            "take self out, or move the function into a class",
            "self를 빼거나 함수를 클래스 안으로 옮기십시오",
        ),
    ),
    "two-contexts": Message(
        Text(
            "{function} takes the ToolContext twice: {parameters}",
            "{function}이(가) ToolContext를 두 번 받습니다: {parameters}",
        ),
        Text("keep one of them", "하나만 남기십시오"),
    ),
    "two-implementers": Message(
        Text(
            "{function} is implemented by more than one class: {candidates}",
            "{function}을(를) 구현한 클래스가 둘 이상입니다: {candidates}",
        ),
        Text(
            "keep one; a fake for tests belongs into the tests, and a shared base class is made abstract (ABC)",
            "하나만 남기십시오. 테스트용 가짜는 테스트 폴더에 두고, 공통 상위 클래스는 추상(ABC)으로 만드십시오",
        ),
    ),
    "two-requests": Message(
        Text(
            "{function} takes two request models: {parameters}",
            "{function}이(가) 요청 모델을 둘 받습니다: {parameters}",
        ),
        Text("put the fields into one model", "필드를 모델 하나로 합치십시오"),
    ),
    "unimportable": Message(
        Text(
            "the file declares tools, but {part} is no name that Python can import",
            "파일에 도구가 선언되어 있지만 {part}은(는) Python이 import할 수 있는 이름이 아닙니다",
        ),
        Text("rename it to {suggestion}", "{suggestion}(으)로 이름을 바꾸십시오"),
    ),
    "unknown-type": Message(
        Text(
            "the type of {parameter} of {function} cannot be found: {type} ({error})",
            "{function}의 {parameter} 타입을 찾을 수 없습니다: {type} ({error})",
        ),
        Text(
            "import it at the top of the module, not only under TYPE_CHECKING",
            "TYPE_CHECKING 아래가 아니라 모듈 맨 위에서 import 하십시오",
        ),
    ),
    "unreadable-definition": Message(
        Text("the definition cannot be read: {problem}", "정의 파일을 읽을 수 없습니다: {problem}"),
        Text("mend the file", "파일을 고치십시오"),
    ),
    "wiring-annotations": Message(
        Text("the annotations of {wants} cannot be read: {error}", "{wants}의 타입 표기를 읽을 수 없습니다: {error}"),
        Text(
            "import its types at the top of the module, not only under TYPE_CHECKING",
            "TYPE_CHECKING 아래가 아니라 모듈 맨 위에서 타입을 import 하십시오",
        ),
    ),
    "wiring-circle": Message(
        Text(
            "{wants} wants {type}, which wants itself: {circle}",
            "{wants}이(가) 요구하는 {type}이(가) 자신을 다시 요구합니다: {circle}",
        ),
        Text("take one of them out", "그 가운데 하나를 빼십시오"),
    ),
    "wiring-no-annotation": Message(
        Text("{wants} has no annotation", "{wants}에 타입 표기가 없습니다"),
        Text("write what type it wants", "요구하는 타입을 적으십시오"),
    ),
    "wiring-nothing": Message(
        Text(
            "{wants} wants {type}, which nothing provides", "{wants}이(가) 요구하는 {type}을(를) 제공하는 것이 없습니다"
        ),
        Text(
            'give it to the service: ToolService("{package}", provide={{{type}: …}})',
            '서비스에 주십시오: ToolService("{package}", provide={{{type}: …}})',
        ),
    ),
    "wiring-raises": Message(
        Text(
            "{wants} could not be made: {error} in its constructor",
            "{wants}을(를) 만들 수 없습니다. 생성자에서 {error} 오류가 납니다",
        ),
        Text(
            "mend its constructor, or what it reads there",
            "생성자나 생성자에서 읽는 값을 고치십시오",
        ),
    ),
    "wiring-several": Message(
        Text(
            "{wants} wants {type}, and several of what is provided fit ({names})",
            "{wants}이(가) 요구하는 {type}에 맞는 것이 둘 이상 제공됩니다({names})",
        ),
        Text("say which: provide={{{type}: …}}", "하나를 정하십시오: provide={{{type}: …}}"),
    ),
    "wrapped": Message(
        Text(
            "{function} is no plain function: another decorator made it {what}",
            "{function}이(가) 일반 함수가 아닙니다. 다른 데코레이터가 {what}(으)로 바꾸었습니다",
        ),
        Text(
            "take the other decorator away, or let it return an async function made with functools.wraps",
            "다른 데코레이터를 없애거나, functools.wraps로 만든 async 함수를 반환하게 하십시오",
        ),
    ),
}


def text_of(found: Unusable, language: str = "en") -> tuple[str, str]:
    """Return problem and mend in a language: `en` or `ko`."""
    message = MESSAGES[found.kind]
    at = Text._fields.index(language)
    return message.problem[at].format_map(found.values), message.mend[at].format_map(found.values)
