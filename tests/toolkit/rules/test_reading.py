"""What cannot be read or imported is said once, where it stands."""

import pytest

from axhub.toolkit.published.definition_file import read_definition
from axhub.toolkit.rules import reading
from support.telling import Case, Told, told
from support.toolkit_facts import (
    CLIENT,
    USECASE,
    YAML,
    declared,
    definition,
    facts,
    located,
    module,
)

RULES = {rule.id: rule for rule in reading.RULES}


@pytest.mark.req("rule/TK001")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a source with a syntax error",
            facts(problems=(located("invalid syntax. Perhaps you forgot a comma?", USECASE, 12, 5),)),
            (
                Told(
                    "biz/cmm/usecase.py:12:5 error",
                    "This file is not valid Python (invalid syntax. Perhaps you forgot a comma?). Correct this line or "
                    "the one before it; nothing else in the file was checked.",
                    "이 파일은 올바른 Python이 아닙니다(문법에 맞지 않음. 쉼표가 빠진 듯함). 이 줄이나 바로 "
                    "앞 줄을 고치십시오. 파일의 나머지는 검사하지 않았습니다.",
                ),
            ),
        ),
        Case(
            "a source that is too large",
            facts(problems=(located("too large: 5000000 bytes", USECASE, 1, 1),)),
            (
                Told(
                    "biz/cmm/usecase.py:1:1 error",
                    "This file has 5000000 bytes; source of more than 1 MiB is not checked. Split it, or move its "
                    "tables into a data file that the package reads.",
                    "이 파일은 5000000바이트입니다. 1 MiB보다 큰 소스는 검사하지 않습니다. 파일을 나누거나, 표를 "
                    "데이터 파일로 옮겨 패키지에서 읽으십시오.",
                ),
            ),
        ),
        Case(
            "a definition of another kind",
            facts(definition(problem="no keys at the top; needed: lines such as 'name: …'")),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:3:5 error",
                    "This definition cannot be read (no keys at the top; needed: lines such as 'name: …'). Correct "
                    "this line or the one before it; nothing else in the file was checked.",
                    "이 정의 파일을 읽을 수 없습니다(맨 위 단계에 키가 없음. `name: …` 같은 줄이 필요함). 이 줄이나 "
                    "바로 앞 줄을 고치십시오. 파일의 나머지는 검사하지 않았습니다.",
                ),
            ),
        ),
        Case(
            "a definition that is no YAML",
            facts(read_definition(b"tags: [a\nname: b\n", YAML)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:2:5 error",
                    "This definition cannot be read (text that is not YAML: expected ',' or ']', but got ':'; needed: "
                    "valid YAML). Correct this line or the one before it; nothing else in the file was checked.",
                    "이 정의 파일은 올바른 YAML이 아닙니다(괄호가 닫히지 않았거나 쉼표가 없음). 이 줄이나 바로 앞 줄을 "
                    "고치십시오. 파일의 나머지는 검사하지 않았습니다.",
                ),
            ),
        ),
        Case(
            "a definition with a tab",
            facts(read_definition(b"description:\n\tfunction: a\n", YAML)),
            (
                Told(
                    "tool_definitions/cmm/cmm_claim_search.yml:2:1 error",
                    "This definition indents with a tab. Indent with spaces; nothing else in the file was checked.",
                    "이 정의 파일의 들여쓰기에 탭이 있습니다. 탭을 공백으로 바꾸십시오. 파일의 나머지는 검사하지 "
                    "않았습니다.",
                ),
            ),
        ),
        Case(
            "a cause of several lines",
            facts(problems=(located("\n\nunexpected indent\n  x = 1\n", USECASE, 2, 1),)),
            (
                Told(
                    "biz/cmm/usecase.py:2:1 error",
                    "This file is not valid Python (unexpected indent). Correct this line or the one before it; "
                    "nothing else in the file was checked.",
                    "이 파일은 올바른 Python이 아닙니다(들여쓰기가 더 들어가 있음). 이 줄이나 바로 앞 줄을 "
                    "고치십시오. 파일의 "
                    "나머지는 검사하지 않았습니다.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_file_that_cannot_be_read_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK001"], case.facts) == case.told


@pytest.mark.req("rule/TK002")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a name that does not exist",
            facts(
                imported=None,
                import_problem=located(
                    "ImportError: cannot import name 'A' from 'my_tools.io' (/srv/my_tools/io.py)", CLIENT, 3, 1
                ),
            ),
            (
                Told(
                    "infra/http/insurance/client.py:3:1 error",
                    "The package cannot be imported (ImportError: cannot import name 'A' from 'my_tools.io'). Correct "
                    'this line, so that `python -c "import my_tools"` and the imports of its modules succeed; rules '
                    "about models were not run.",
                    "패키지를 가져올(import) 수 없습니다(ImportError: my_tools.io 모듈에 A 이름이 없음). 이 "
                    '줄을 고쳐 `python -c "import my_tools"` 명령과 모듈 가져오기가 성공하게 하십시오. 모델에 대한 '
                    "규칙은 검사하지 않았습니다.",
                ),
            ),
        ),
        Case(
            "a module that does not exist",
            facts(imported=None, import_problem=located("ModuleNotFoundError: No module named 'httpy'", CLIENT, 3, 1)),
            (
                Told(
                    "infra/http/insurance/client.py:3:1 error",
                    "The package cannot be imported (ModuleNotFoundError: No module named 'httpy'). Correct this line, "
                    'so that `python -c "import my_tools"` and the imports of its modules succeed; rules about '
                    "models were not run.",
                    "패키지를 가져올(import) 수 없습니다(ModuleNotFoundError: httpy 모듈이 없음). 이 줄을 고쳐 "
                    '`python -c "import my_tools"` 명령과 모듈 가져오기가 성공하게 하십시오. 모델에 대한 규칙은 '
                    "검사하지 않았습니다.",
                ),
            ),
        ),
        Case(
            "a pattern that is none",
            facts(
                imported=None,
                import_problem=located(
                    "the pattern of no is no regular expression: unclosed character class", CLIENT, 3, 1
                ),
            ),
            (
                Told(
                    "infra/http/insurance/client.py:3:1 error",
                    "The pattern of no is no regular expression that the request model takes (unclosed character "
                    "class). Close every bracket; instead of look-around and back-references list the allowed forms "
                    "with `|`. Rules about models were not run.",
                    "no 필드의 정규식을 요청 모델이 받지 않습니다(대괄호를 닫지 않음). 괄호를 모두 닫고, 전후방 "
                    "탐색이나 역참조 대신 허용하는 형식을 `|`로 나열하십시오. 모델에 대한 규칙은 검사하지 않았습니다.",
                ),
            ),
        ),
        Case(
            "a name that was not imported",
            facts(imported=None, import_problem=located("NameError: name 'date' is not defined", CLIENT, 3, 1)),
            (
                Told(
                    "infra/http/insurance/client.py:3:1 error",
                    "The package cannot be imported: `date` is used here and not imported. Add `from datetime import "
                    "date` to the imports of this file; rules about models were not run.",
                    "패키지를 가져올(import) 수 없습니다. 여기에서 쓰는 `date` 이름을 import 하지 않았습니다. 이 "
                    "파일의 import에 `from datetime import date` 줄을 추가하십시오. 모델에 대한 규칙은 검사하지 "
                    "않았습니다.",
                ),
            ),
        ),
        Case(
            "an environment variable that is read meanwhile",
            facts(
                modules=(module(CLIENT, environment=(located("CLAIM_TOKEN", CLIENT, 3, 1),)),),
                imported=None,
                import_problem=located("KeyError: 'CLAIM_TOKEN'", CLIENT, 3, 1),
            ),
            (
                Told(
                    "infra/http/insurance/client.py:3:1 error",
                    "The package cannot be imported: the environment variable CLAIM_TOKEN is read meanwhile, and a "
                    "check has no variables. Let src/my_tools/config/service.yaml read what an address or a "
                    "credential is, as `${CLAIM_TOKEN}`; what else is needed is read in app.py with `os.environ.get`. "
                    "Rules about models were not run.",
                    "패키지를 가져올(import) 수 없습니다. 가져오는 동안 환경 변수 CLAIM_TOKEN 값을 읽는데, 검사에는 "
                    "환경 변수가 없습니다. 주소나 인증 값은 src/my_tools/config/service.yaml에 `${CLAIM_TOKEN}`으로 "
                    "쓰고, 그 밖의 값은 app.py에서 `os.environ.get`으로 읽으십시오. 모델에 대한 규칙은 검사하지 "
                    "않았습니다.",
                ),
            ),
        ),
    ],
    ids=str,
)
def test_a_package_that_cannot_be_imported_is_pointed_out(case: Case) -> None:
    assert told(RULES["TK002"], case.facts) == case.told


@pytest.mark.req("rule/TK002")
@pytest.mark.parametrize(
    "case",
    [
        Case(
            "a syntax error is reported already", facts(problems=(located("x"),), import_problem=located("SyntaxError"))
        ),
        Case(
            "an argument that the decorator does not take",
            facts(declared(owner="me"), import_problem=located("TypeError")),
        ),
        Case(
            "an await in a tool that is not async",
            facts(declared(is_async=False), import_problem=located("SyntaxError: 'await' outside async function")),
        ),
        Case("a decorator without a title", facts(declared(without=["title"]), import_problem=located("TypeError"))),
    ],
    ids=str,
)
def test_tk002_has_nothing_to_say_about(case: Case) -> None:
    assert told(RULES["TK002"], case.facts) == ()
