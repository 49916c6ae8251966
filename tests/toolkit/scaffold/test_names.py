"""What may be called how: the names that `axhub new` takes, and what it makes of them."""

import pytest

from axhub.toolkit.scaffold.names import ServiceNames, ToolNames, UnusableNameError, service_names, tool_names

pytestmark = pytest.mark.req("toolkit/T5")


def test_a_service_has_a_project_and_a_package() -> None:
    assert service_names("claim-tools") == ServiceNames("claim-tools", "claim_tools")


@pytest.mark.parametrize(
    "name", ["", "Claim", "claim tools", "청구", "1claim", "claim-", "../claim", "a" * 41, "claim\n"]
)
def test_a_service_name_that_is_no_project_name_is_refused(name: str) -> None:
    with pytest.raises(UnusableNameError) as refused:
        service_names(name)
    assert refused.value.text.en == (
        f"The service name {name!r} cannot be used. Write at most 40 characters a-z, 0-9 and -, the first a letter, "
        "such as claim-tools."
    )


@pytest.mark.parametrize("name", ["json", "class", "tests", "axhub"])
def test_a_service_name_that_python_has_already_is_refused(name: str) -> None:
    with pytest.raises(UnusableNameError) as refused:
        service_names(name)
    assert refused.value.text.en == (
        f"The service name {name!r} cannot be used: Python has something else of the name {name}. Write for instance "
        f"{name}-tools."
    )


def test_a_tool_gives_its_category_its_modules_and_its_classes_their_names() -> None:
    assert tool_names("cmm_claim_search", "claim_v2") == ToolNames(
        name="cmm_claim_search",
        category="cmm",
        stem="claim_search",
        words="ClaimSearch",
        api="claim_v2",
        client="ClaimV2Client",
        environment="CLAIM_V2",
    )


@pytest.mark.parametrize("name", ["cmm_import", "cmm_2nd_claim", "cmm__claim", "cmm_", "claims"])
def test_a_module_takes_the_whole_name_where_its_second_half_is_none(name: str) -> None:
    assert tool_names(name, "claim").stem == name


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "cmm.claim",
            (
                'The tool name "cmm.claim" has "." at character 4; only a-z, 0-9 and _ may stand in it. '
                'Write "cmm_claim"; decorator, definition and the definition\'s file name all have the same name.'
            ),
        ),
        (
            "cmm_pro_search",
            (
                'The part "pro" of the tool name "cmm_pro_search" is the name of a Pod. '
                'Say there what the tool does, in the form domain_function_action, as in "cmm_claim_search"; '
                "the same in the definition and its file name."
            ),
        ),
        ("", "The tool name is empty."),
        (
            "is_claim_open",
            (
                "The tool name 'is_claim_open' cannot be used: its first part 'is' becomes a folder of modules, and is "
                "a word of Python itself. Begin with the key of the business category, as in cmm_claim_search."
            ),
        ),
    ],
)
def test_a_tool_name_is_refused_in_the_words_of_the_rules(name: str, message: str) -> None:
    with pytest.raises(UnusableNameError) as refused:
        tool_names(name, "claim")
    assert refused.value.text.en == message


@pytest.mark.parametrize("api", ["", "Claim", "claim-v2", "../claim", "class", "청구", "a" * 41])
def test_an_api_name_that_is_no_module_name_is_refused(api: str) -> None:
    with pytest.raises(UnusableNameError) as refused:
        tool_names("cmm_claim_search", api)
    assert refused.value.text.ko == (
        f"API 이름 {api!r}은(는) 쓸 수 없습니다. 영문 소문자로 시작하고 a-z, 0-9, _만으로 된 "
        "40자 이내의 이름을 쓰십시오. 예: claim."
    )
