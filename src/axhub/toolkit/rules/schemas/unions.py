"""Unions that are inside themselves: TK409."""

from collections.abc import Iterator
from typing import Final

from axhub.toolkit.facts.service import Facts, Place, Unusable
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text

__all__ = ["RULES"]

_KIND: Final = "recursive-union"


def _unions(facts: Facts) -> Iterator[Breach]:
    told: set[tuple[Place, str]] = set()
    for one in facts.unusable:
        place = _place(facts, one)
        if one.kind == _KIND and (place, one.values["field"]) not in told:
            told.add((place, one.values["field"]))
            yield Breach(place, "", dict(one.values), one.tool)


def _place(facts: Facts, one: Unusable) -> Place:
    """Return where the field is declared, or the tool if that is not known."""
    tool = (facts.imported or {}).get(one.tool or "")
    for field in tool.inputs if tool is not None else ():
        if field.name == one.values.get("field") and field.model.rpartition(".")[2] == one.values.get("model"):
            return field.place
    return one.place


TK409: Final = Rule(
    id="TK409",
    severity=Severity.ERROR,
    stage=Stage.IMPORTED,
    title=Text(
        "A union that is inside itself has a discriminator.",
        "자기 자신을 포함하는 union에는 discriminator가 있어야 합니다.",
    ),
    why=Text(
        "Without one, every branch is tried to the end, and each tries every branch of the level below: the time "
        "doubles with every level, and a few hundred bytes of arguments hold up the whole service. With one, the "
        "branch is known at once, and a model is told what is wrong with the branch that it meant.",
        "discriminator가 없으면 모든 분기를 끝까지 시도하고, 분기마다 아래 단계의 모든 분기를 다시 시도합니다. 한 "
        "단계마다 시간이 두 배가 되어 수백 바이트의 인자로 서비스 전체가 멈출 수 있습니다. discriminator가 있으면 "
        "분기를 바로 알 수 있고, 모델도 자신이 의도한 분기의 잘못을 안내받습니다.",
    ),
    messages={
        "": Message(
            Text(
                "The field {field} of {model} is a union inside itself, {branches}, without a discriminator.",
                "{model}의 {field} 필드는 자기 자신을 포함하는 union({branches})인데 discriminator가 없습니다.",
            ),
            Text(
                'Give each branch a field such as `kind: Literal["…"]`, and write `Annotated[{branches}, '
                'Field(discriminator="kind")]`.',
                '각 클래스에 `kind: Literal["…"]` 같은 필드를 두고 `Annotated[{branches}, '
                'Field(discriminator="kind")]`로 쓰십시오.',
            ),
        ),
    },
    check=_unions,
    bad='class All(Input):\n    of: Annotated[list["All | Any | Leaf"], Desc("조건")]',
    good=(
        'class All(Input):\n    kind: Annotated[Literal["all"], Desc("조건의 종류")]\n    of: Annotated[\n'
        '        list[Annotated["All | Any | Leaf", Field(discriminator="kind")]], Desc("조건")\n    ]'
    ),
    suppressible=False,
)

RULES: Final = (TK409,)
