"""Every name that is made from the name of a service, a tool or an API, or why it cannot be used."""

import re
import sys
from dataclasses import dataclass
from keyword import iskeyword
from typing import Final

from axhub.toolkit.check.engine import judge
from axhub.toolkit.facts.service import Declared, Facts, Located, Place, Project
from axhub.toolkit.layout import BUSINESS, INFRASTRUCTURE
from axhub.toolkit.rules import name_parts, names
from axhub.toolkit.rules.model import SaidError, Severity, Text

__all__ = ["ServiceNames", "ToolNames", "UnusableNameError", "service_names", "tool_names"]

_PROJECT: Final = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
_API: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_MOST: Final = 40
_TAKEN: Final = frozenset({"axhub", BUSINESS, INFRASTRUCTURE, "test", "tests", *sys.stdlib_module_names})


class UnusableNameError(SaidError):
    """A name cannot be used; `text` says what is wrong with it and what to write, in both languages."""


@dataclass(frozen=True, slots=True)
class ServiceNames:
    """A service's names."""

    project: str
    """`claim-tools`: the project, the folder and the bundle id."""
    package: str
    """`claim_tools`."""


@dataclass(frozen=True, slots=True)
class ToolNames:
    """A tool's names, and those of the API behind it."""

    name: str
    category: str
    """`cmm` of `cmm_claim_search`."""
    stem: str
    """`claim_search`: modules and the function."""
    words: str
    """`ClaimSearch`: the beginning of class names."""
    api: str
    client: str
    """`ClaimClient`."""
    environment: str
    """`CLAIM` in names of environment variables."""


def service_names(text: str) -> ServiceNames:
    """Return the names of a service.

    Raises:
        UnusableNameError: no project or no package can be called so.
    """
    package = text.replace("-", "_")
    if not _PROJECT.fullmatch(text) or len(text) > _MOST:
        raise UnusableNameError(
            Text(
                f"The service name {text!r} cannot be used. Write at most {_MOST} characters a-z, 0-9 and -, the first "
                "a letter, such as claim-tools.",
                f"서비스 이름 {text!r}은(는) 쓸 수 없습니다. 영문 소문자로 시작하고 a-z, 0-9, -만으로 된 "
                f"{_MOST}자 이내의 이름을 쓰십시오. 예: claim-tools.",
            )
        )
    if package in _TAKEN or iskeyword(package):
        raise UnusableNameError(
            Text(
                f"The service name {text!r} cannot be used: Python has something else of the name {package}. Write "
                f"for instance {text}-tools.",
                f"서비스 이름 {text!r}은(는) 쓸 수 없습니다. Python에 {package}라는 이름이 이미 있습니다. "
                f"{text}-tools처럼 쓰십시오.",
            )
        )
    return ServiceNames(text, package)


def tool_names(name: str, api: str) -> ToolNames:
    """Return the names of a tool that calls an HTTP API.

    Raises:
        UnusableNameError: a rule about names has an error to report, or no module can be called so.
    """
    _check_rules(name)
    category, _, rest = name.partition("_")
    if iskeyword(category):
        raise UnusableNameError(
            Text(
                f"The tool name {name!r} cannot be used: its first part {category!r} becomes a folder of modules, and "
                "is a word of Python itself. Begin with the key of the business category, as in cmm_claim_search.",
                f"도구 이름 {name!r}은(는) 쓸 수 없습니다. 첫 부분 {category!r}이(가) Python의 예약어라서 모듈 폴더 "
                "이름이 될 수 없습니다. cmm_claim_search처럼 업무 분류 코드로 시작하십시오.",
            )
        )
    if not _API.fullmatch(api) or iskeyword(api):
        raise UnusableNameError(
            Text(
                f"The API name {api!r} cannot be used. Write at most {_MOST} characters a-z, 0-9 and _, the first a "
                "letter, such as claim.",
                f"API 이름 {api!r}은(는) 쓸 수 없습니다. 영문 소문자로 시작하고 a-z, 0-9, _만으로 된 "
                f"{_MOST}자 이내의 이름을 쓰십시오. 예: claim.",
            )
        )
    usable = rest.isidentifier() and not iskeyword(rest) and not rest.startswith("_")
    stem = rest if usable else name
    return ToolNames(name, category, stem, _joined(stem), api, f"{_joined(api)}Client", api.upper())


def _check_rules(name: str) -> None:
    place = Place("")
    declared = Declared(place, "", "", {"name": Located(name, place)})
    found = judge(Facts(Project("", ""), declared=(declared,)), (*names.RULES, *name_parts.RULES)).results
    errors = [result.texts for result in found if result.severity is Severity.ERROR]
    if errors:
        raise UnusableNameError(Text(" ".join(errors[0]["en"]), " ".join(errors[0]["ko"])))
    if not name:
        raise UnusableNameError(Text("The tool name is empty.", "도구 이름이 비어 있습니다."))


def _joined(text: str) -> str:
    return "".join(part.capitalize() for part in text.split("_"))
