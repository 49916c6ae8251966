"""Samples of MCI systems: that there are some, and that nobody's data is in them."""

from dataclasses import replace
from pathlib import Path

import pytest

from axhub.toolkit.facts.service import Facts, Located, Place
from axhub.toolkit.rules.answers.answer_types import TK503, TK517
from axhub.toolkit.rules.personal.family import TK516
from axhub.toolkit.rules.reading import TK002
from support.telling import Told, told
from support.tool_packages import definition_text
from support.toolkit_facts import TOOL, imported
from support.written_mci import IO, USECASE, YAML, mci_changed, mci_facts

FOLDER = f"src/my_tools/samples/{TOOL}"
CAPTURED = b"\xb1\xe8\xc3\xb6\xbc\xf6    0012345001" + b"CLM202601010001 10+000000001000" + b" " * 124
RESIDENT = b"900101-1234568"
ACCOUNT = """\
class CLCNNB00001_O(Layout, id="CLCNNB00001"):
    name: Annotated[str, Text(10)]
    account_no: Annotated[str, Text(16)]
    phone: Annotated[str, Text(13)]
    rest: Annotated[str, Text(len("x"))]
"""


def made(root: Path, **files: str | None) -> Facts:
    """Return the good service with its tool imported."""
    return replace(mci_facts(root, files), imported={TOOL: imported()})


def with_captured(found: Facts, raw: bytes, name: str = "mci-CLCNNB00001.hex") -> Facts:
    """Return facts with a captured telegram, a comment and ten bytes a line."""
    lines = [raw[at : at + 10].hex(" ") for at in range(0, len(raw), 10)]
    path = f"{FOLDER}/{name}"
    return replace(found, samples={TOOL: (path,)}, sample_texts={path: "\n".join(["# a comment", *lines])})


@pytest.mark.req("rule/TK503")
@pytest.mark.parametrize(
    ("files", "file"),
    [
        ({}, "mci-CLCNNB00001.json"),
        ({USECASE: None}, None),
        (
            mci_changed(USECASE, '        mapping_id="CLCNNB00001",\n', "")
            | {YAML: definition_text(legacy_interface_id="ABCNNB00002")},
            "mci-ABCNNB00002.json",
        ),
        (
            mci_changed(USECASE, '        mapping_id="CLCNNB00001",\n', "")
            | {YAML: definition_text(legacy_interface_id=None)},
            "mci-{INTERFACE}.json",
        ),
    ],
)
def test_a_tool_that_calls_a_system_and_has_no_sample_is_pointed_out(
    files: dict[str, str | None], file: str | None, tmp_path: Path
) -> None:
    said = told(TK503, made(tmp_path, **files))
    if file is None:
        assert said == ()
        return
    (one,) = said
    assert one == Told(
        "biz/cmm/usecase.py:9:6 error",
        f"The tool {TOOL} calls a legacy system, and there is no sample of its answer. Put an anonymised answer into "
        f"{FOLDER}/{file}.",
        f"{TOOL} 도구는 레거시 시스템을 호출하는데 응답 샘플이 없습니다. 익명화한 응답을 {FOLDER}/{file}에 두십시오.",
    )


@pytest.mark.req("rule/TK503")
@pytest.mark.parametrize("name", ["mci-CLCNNB00001.hex", "mci-CLCNNB00001.json", "mci-CLCNNB00001-2.hex"])
def test_samples_are_found_by_their_names(name: str, tmp_path: Path) -> None:
    found = made(tmp_path, **{f"samples/{TOOL}/{name}": "{}"})
    assert found.samples == {TOOL: (f"{FOLDER}/{name}",)}
    assert told(TK503, found) == ()


@pytest.mark.req("rule/TK516")
def test_a_real_number_in_a_captured_telegram_is_pointed_out_with_its_field(tmp_path: Path) -> None:
    raw = CAPTURED.replace(b"CLM202601010001 ", RESIDENT + b"  ")
    (one,) = told(TK516, with_captured(made(tmp_path), raw))
    assert one == Told(
        f"samples/{TOOL}/mci-CLCNNB00001.hex:4:1 error",
        "This looks like a resident number of a real person. Anonymise it, for instance: 000000-0000000",
        "실제 사람의 주민등록번호로 보이는 값이 있습니다. 익명화하십시오. 예: 000000-0000000",
    )


@pytest.mark.req("rule/TK516")
def test_a_real_number_in_a_comment_is_pointed_out_where_it_stands(tmp_path: Path) -> None:
    path = f"{FOLDER}/mci-CLCNNB00001.hex"
    found = replace(made(tmp_path), samples={TOOL: (path,)}, sample_texts={path: "20 20  # of 900101-1234568\n20"})
    assert [one.at for one in told(TK516, found)] == [f"samples/{TOOL}/mci-CLCNNB00001.hex:1:13 error"]


@pytest.mark.req("rule/TK516")
def test_data_that_is_known_by_its_name_is_found_by_the_fields_name_and_the_rest_as_it_reads(tmp_path: Path) -> None:
    found = made(
        tmp_path, **{IO: mci_changed(IO, "class CLCNNB00001_O", f"{ACCOUNT.replace('        ', '')}class Old")[IO]}
    )
    raw = b" " * 10 + b"110-234-567890  " + b"010-2345-6789" + b"900101-1234568"
    assert [one.at for one in told(TK516, with_captured(found, raw, "mci-CLCNNB00001-2.hex"))] == [
        f"samples/{TOOL}/mci-CLCNNB00001-2.hex:3:1 error",
        f"samples/{TOOL}/mci-CLCNNB00001-2.hex:4:19 error",
        f"samples/{TOOL}/mci-CLCNNB00001-2.hex:5:28 error",
    ]


@pytest.mark.req("rule/TK516")
@pytest.mark.parametrize("raw", [CAPTURED, b"", b"0123456789012345678901234567"])
def test_other_telegrams_are_left_alone_and_hexadecimal_digits_are_no_numbers(raw: bytes, tmp_path: Path) -> None:
    assert told(TK516, with_captured(made(tmp_path), raw)) == ()
    assert told(TK516, with_captured(made(tmp_path), raw, "mci-UNKNOWN.hex")) == ()


@pytest.mark.req("rule/TK517", "rule/TK002")
def test_a_telegram_inside_a_model_is_told_where_python_refuses_it(tmp_path: Path) -> None:
    cause = (
        "pydantic.errors.PydanticSchemaGenerationError: Unable to generate pydantic-core schema for "
        "<class 'my_tools.infra.mci.cfpa.io.clcnnb00001.CLCNNB00001_O'>. Set more."
    )
    place = Place("src/my_tools/biz/cmm/dto.py", 6, 1)
    found = replace(mci_facts(tmp_path, {}), import_problem=Located(cause, place))
    (one,) = told(TK517, found)
    assert one == Told(
        "biz/cmm/dto.py:6:1 error",
        "A model holds CLCNNB00001_O, which is a telegram of the legacy system. Declare the values that are needed as "
        "plain fields, and map them in the converter; rules about models were not run.",
        "모델에 레거시 시스템의 전문 CLCNNB00001_O 타입이 있습니다. 필요한 값만 일반 필드로 선언하고 converter에서 "
        "옮기십시오. 모델에 대한 규칙은 검사하지 않았습니다.",
    )
    assert told(TK002, found) == ()
    other = replace(found, import_problem=Located(cause.replace("CLCNNB", "X"), place))
    assert told(TK517, other) == ()
    assert len(told(TK002, other)) == 1
