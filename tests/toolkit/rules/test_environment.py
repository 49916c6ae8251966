"""Environment variables that a tool needs."""

from dataclasses import replace

import pytest

from axhub.toolkit.facts.service import Api, Module
from axhub.toolkit.rules import environment
from support.telling import Case, Told, told
from support.toolkit_facts import (
    CLIENT,
    CONFIG,
    USECASE,
    api,
    call,
    class_,
    declared,
    definition,
    facts,
    function,
    located,
    module,
    modules,
    place,
    settings,
)

CLAIMS = "my_tools.infra.http.insurance.client.InsuranceClient"
RULES = {rule.id: rule for rule in environment.RULES}


def with_secret() -> Api:
    """Return an API with a credential from the environment."""
    return replace(api(environment=["CLAIM_KEY"]), secrets=frozenset({"CLAIM_KEY"}))


def reading_environment(name: str) -> tuple[Module, ...]:
    """Return the good modules, of which the client reads a variable itself."""
    read = (located(name, CLIENT, 9, 20),)
    return tuple(replace(one, environment=read) if one.path == CLIENT else one for one in modules())


def given_from_outside() -> tuple[Module, ...]:
    """Return a use case that wants a port which nothing in the package implements."""
    port = class_("Bank", "typing.Protocol", line=1)
    usecase = class_("ClaimUseCase", line=5)
    wanted = function(f"{usecase.qualified}.__init__", {"self": "", "bank": port.qualified})
    return (module(USECASE, classes=(port, usecase), functions=(wanted,)), modules()[3])


def with_function() -> tuple[Module, ...]:
    """Return a module's function as a tool, with the good client, which names its API in the call."""
    client = "my_tools.infra.http.insurance.client.InsuranceClient"
    wanted = {"request": "my_tools.biz.cmm.dto.ClaimSearchRequest", "client": client}
    calls = (call("self._http.call", '"insurance"', "request", path=CLIENT, function=f"{client}.call"),)
    there = module(CLIENT, classes=(class_("InsuranceClient", path=CLIENT),), calls=calls)
    return (module(USECASE, functions=(function("my_tools.biz.cmm.usecase.search", wanted),)), there)


@pytest.mark.req("rule/TK312")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a variable without a default",
            facts(settings=settings(apis=(api(domain="${CLAIM_DOMAIN}", environment=["CLAIM_DOMAIN"]),))),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:31:20 error",
                    "The tool needs the environment variable CLAIM_DOMAIN, read at "
                    "src/my_tools/config/service.yaml:11:17, and required_env_keys does not list it. Write "
                    "`required_env_keys: [CLAIM_DOMAIN]`.",
                    "도구가 환경 변수 CLAIM_DOMAIN 값을 쓰는데(읽는 곳: src/my_tools/config/service.yaml:11:17) "
                    "required_env_keys에 없습니다. `required_env_keys: [CLAIM_DOMAIN]` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "one more than is listed",
            facts(
                definition(required_env_keys=["CLAIM_DOMAIN"]),
                settings=settings(
                    apis=(
                        api(
                            domain="${CLAIM_DOMAIN}", url="/a/${CLAIM_PATH}", environment=["CLAIM_DOMAIN", "CLAIM_PATH"]
                        ),
                    )
                ),
            ),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:3 error",
                    "The tool needs the environment variable CLAIM_PATH, read at "
                    "src/my_tools/config/service.yaml:11:17, and required_env_keys does not list it. Write "
                    "`required_env_keys: [CLAIM_DOMAIN, CLAIM_PATH]`.",
                    "도구가 환경 변수 CLAIM_PATH 값을 쓰는데(읽는 곳: src/my_tools/config/service.yaml:11:17) "
                    "required_env_keys에 없습니다. `required_env_keys: [CLAIM_DOMAIN, CLAIM_PATH]` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a credential",
            facts(settings=settings(apis=(with_secret(),))),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:31:20 error",
                    "The tool needs the environment variable CLAIM_KEY, read at "
                    "src/my_tools/config/service.yaml:11:17, and required_env_keys does not list it. Write "
                    "`required_env_keys: [CLAIM_KEY]`.",
                    "도구가 환경 변수 CLAIM_KEY 값을 쓰는데(읽는 곳: src/my_tools/config/service.yaml:11:17) "
                    "required_env_keys에 없습니다. `required_env_keys: [CLAIM_KEY]` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a variable that the client's module reads",
            facts(modules=reading_environment("CLAIM_KEY")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:31:20 error",
                    "The tool needs the environment variable CLAIM_KEY, read at "
                    "src/my_tools/infra/http/insurance/client.py:9:20, and required_env_keys does not list it. Write "
                    "`required_env_keys: [CLAIM_KEY]`.",
                    "도구가 환경 변수 CLAIM_KEY 값을 쓰는데(읽는 곳: src/my_tools/infra/http/insurance/client.py:9:20) "
                    "required_env_keys에 없습니다. `required_env_keys: [CLAIM_KEY]` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a variable that nothing reads",
            facts(definition(required_env_keys=["CLAIM_DOMIAN"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:5 error",
                    "required_env_keys lists CLAIM_DOMIAN, which nothing in this service reads. Remove it, or correct "
                    "its spelling.",
                    "required_env_keys에 적은 CLAIM_DOMIAN 변수는 이 서비스의 어디에서도 읽지 않습니다. 지우거나 "
                    "철자를 고치십시오.",
                ),
            ),
        ),
        Case(
            "a variable of another tool's API",
            facts(
                definition(required_env_keys=["BANK_DOMAIN"]),
                settings=settings(apis=(api(), api("bank", line=30, environment=["BANK_DOMAIN"]))),
            ),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:5 error",
                    "required_env_keys lists BANK_DOMAIN, which other tools of this service use and this one does not. "
                    "Remove it here.",
                    "required_env_keys에 적은 BANK_DOMAIN 변수는 이 서비스의 다른 도구가 쓰며 이 도구는 쓰지 않습니다. "
                    "여기에서 지우십시오.",
                ),
            ),
        ),
        Case(
            "a misspelt variable",
            facts(
                definition(required_env_keys=["CLAIM_DOMAN"]),
                settings=settings(apis=(api(domain="${CLAIM_DOMAIN}", environment=["CLAIM_DOMAIN"]),)),
            ),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:5 error",
                    "required_env_keys lists CLAIM_DOMAN, and the tool reads CLAIM_DOMAIN, at "
                    "src/my_tools/config/service.yaml:11:17. Did you mean CLAIM_DOMAIN? Write it here.",
                    "required_env_keys에는 CLAIM_DOMAN 변수가 있는데 도구가 읽는 것은 CLAIM_DOMAIN 변수입니다(읽는 곳: "
                    "src/my_tools/config/service.yaml:11:17). CLAIM_DOMAIN 변수를 뜻했다면 여기에 그렇게 쓰십시오.",
                ),
            ),
        ),
        Case(
            "nothing",
            facts(definition(required_env_keys=None)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:31:20 error",
                    "required_env_keys is empty, and has to be a list. Write `required_env_keys: []`.",
                    "required_env_keys 값이 비어 있습니다. 목록이어야 합니다. `required_env_keys: []` 값을 쓰십시오.",
                ),
            ),
        ),
        Case(
            "a text",
            facts(definition(required_env_keys="CLAIM_DOMAIN")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:31:20 error",
                    'required_env_keys has to be a list, and here stands the text "CLAIM_DOMAIN". Put names in '
                    "brackets: `required_env_keys: [CLAIM_DOMAIN]`.",
                    'required_env_keys 값은 목록이어야 합니다. 지금 값: 문자열 "CLAIM_DOMAIN". 이름을 대괄호로 '
                    "묶으십시오: `required_env_keys: [CLAIM_DOMAIN]`.",
                ),
            ),
        ),
        Case(
            "a placeholder",
            facts(definition(required_env_keys=["${CLAIM_DOMAIN}"])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:5 error",
                    '"${CLAIM_DOMAIN}" is no name of an environment variable. Write the name alone: CLAIM_DOMAIN.',
                    '"${CLAIM_DOMAIN}" 값은 환경 변수 이름이 아닙니다. 이름만 쓰십시오: CLAIM_DOMAIN.',
                ),
            ),
        ),
        Case(
            "a number",
            facts(definition(required_env_keys=[12])),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:32:5 error",
                    "Entry 1 of required_env_keys is 12, no name of an environment variable. Write a name such as "
                    "CLAIM_API_KEY, or remove it.",
                    "required_env_keys의 1번째 값은 환경 변수 이름이 아닙니다: 12. CLAIM_API_KEY 같은 이름을 쓰거나 "
                    "지우십시오.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_variables_that_are_missing_or_too_many_are_pointed_out(case: Case) -> None:
    assert told(RULES["TK312"], case.facts) == case.told


@pytest.mark.req("rule/TK312")
@pytest.mark.parametrize(
    "case",
    [
        Case("variables with defaults, listed", facts(definition(required_env_keys=["AXHUB_INSURANCE_HTTP_DOMAIN"]))),
        Case(
            "a variable inside a default",
            facts(settings=settings(apis=(api(domain="${A:http://${B}}", environment=["A", "B"]),))),
        ),
        Case(
            "a variable of an API of another tool",
            facts(settings=settings(apis=(api(), api("bank", line=30, domain="${BANK}", environment=["BANK"])))),
        ),
        Case(
            "a tool whose parts are given from outside",
            facts(
                definition(required_env_keys=["BANK"]),
                modules=given_from_outside(),
                settings=settings(apis=(api("bank", environment=["BANK"]),)),
            ),
        ),
        Case(
            "a package that cannot be imported",
            facts(definition(required_env_keys=["BANK"]), import_problem=located("ImportError", USECASE)),
        ),
        Case(
            "a header that is rejected",
            facts(
                definition(required_env_keys=["CLAIM_TOKEN"]),
                settings=settings(
                    faults=(
                        (place(CONFIG, 9, 36), "glow.communication.http.api-list[0].headers.A: a value", "${NAME}"),
                    )
                ),
            ),
        ),
        Case(
            "a client that takes the name of its API from elsewhere",
            facts(
                definition(required_env_keys=["BANK"]),
                modules=(
                    module(
                        CLIENT,
                        functions=(function(f"{CLAIMS}.call", {"http": "axhub.toolkit.HttpClient"}, path=CLIENT),),
                        calls=(call("http.call", "name", resolved="http.call", function=f"{CLAIMS}.call"),),
                    ),
                ),
            ),
        ),
        Case(
            "an API without an entry",
            facts(
                definition(required_env_keys=["BANK"]),
                settings=settings(apis=(api("insurence", domain="${BANK}", environment=["BANK"]),)),
            ),
        ),
        Case(
            "tools with the same name",
            facts(declared(), declared(line=40), definition(required_env_keys=["BANK"])),
        ),
        Case("no configuration", facts(definition(required_env_keys=["BANK"]), settings=None)),
        Case("a missing key", facts(definition(without=["/required_env_keys"]))),
        Case(
            "a module's function",
            facts(
                declared(function="my_tools.biz.cmm.usecase.search"),
                definition(required_env_keys=["CLAIM"]),
                modules=with_function(),
                settings=settings(apis=(api(domain="${CLAIM}", environment=["CLAIM"]),)),
            ),
        ),
    ],
    ids=str,
)
def test_tk312_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK312"], case.facts) == ()
