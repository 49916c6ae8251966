"""What the loader says about a configuration, taken apart for rules and in both languages."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from axhub.configuration.faults import Fault, Where
from axhub.toolkit.facts.service import Place, Settings
from axhub.toolkit.rules.model import Text
from axhub.toolkit.rules.telling.loader_words import allowed_in_korean, in_korean
from axhub.toolkit.rules.telling.saying import of_yaml

__all__ = ["BUNDLE_ID", "MISSING", "STRANGE", "SettingsFault", "fault_text", "follows_from_a_key", "settings_faults"]

BUNDLE_ID: Final = "mcp.bundleId"
"""Faults of this key are told by TK801."""
_KEY: Final = re.compile(r"(?P<key>[A-Za-z][^\s:]*): (?P<found>.*)", re.DOTALL)
_PLACES: Final[Mapping[Where, str]] = {
    Where.FILE: "{}",
    Where.MANIFEST: "{}",
    Where.ENVIRONMENT: "환경 변수 {}",
    Where.COMMAND_LINE: "명령줄 {}",
}
_QUOTES: Final = 'valid YAML (a value that contains ": " needs quotes)'
_COLUMNS: Final = Text(
    'valid YAML (lines that belong together begin in the same column, and a value that contains ": " stands in quotes)',
    '올바른 YAML(같은 묶음의 줄은 같은 칸에서 시작하고, ": "이 있는 값은 따옴표로 묶음)',
)
"""What the loader says, and what it may mean besides."""
_NO_YAML: Final = "text that is not YAML: "
MISSING: Final = "nothing: the key is missing"
STRANGE: Final = "an unknown key"


class SettingsFault(NamedTuple):
    """One fault of the configuration, taken apart."""

    place: Place
    key: str
    """Whole path; empty where the file as a whole is concerned."""
    found: str
    allowed: str

    @property
    def name(self) -> str:
        """The last part of the key."""
        return self.key.rpartition(".")[2].partition("[")[0]

    @property
    def found_text(self) -> Text:
        """What was found, in both languages as far as it has words."""
        if self.found.startswith(_NO_YAML):
            return Text(self.found, f"YAML이 아닌 내용({of_yaml(self.found.removeprefix(_NO_YAML)).ko})")
        return Text(self.found, in_korean(self.found) or self.found)

    @property
    def allowed_text(self) -> Text:
        """What is allowed, in both languages."""
        if self.allowed == _QUOTES:
            return _COLUMNS
        return Text(self.allowed, allowed_in_korean(self.allowed, self.name))


def settings_faults(settings: Settings) -> Iterator[SettingsFault]:
    """Yield what the loader says about a configuration."""
    for place, said, allowed in settings.faults:
        match = _KEY.fullmatch(said)
        yield SettingsFault(place, match["key"] if match else "", match["found"] if match else said, allowed)


def fault_text(fault: Fault) -> Text:
    """Return a fault of a configuration on one line, with its place."""
    taken = SettingsFault(Place(""), fault.key, fault.found, fault.allowed)
    place = _PLACES[fault.place.where].format(str(fault.place.source if fault.place.line == 0 else fault.place))
    head = "  ".join(part for part in (place, fault.key) if part)
    return Text(
        " ".join(str(fault).split()),
        f"{head}: 지금 값은 {taken.found_text.ko}, 쓸 수 있는 값은 {taken.allowed_text.ko}",
    )


def follows_from_a_key(fault: SettingsFault, settings: Settings) -> bool:
    """Say whether a missing key stands there under a misspelt name, or with all that is around it (rule/TK613)."""
    if fault.found != MISSING:
        return False
    section, _, name = fault.key.rpartition(".")
    for other in settings_faults(settings):
        meant = other.allowed.partition(" ")[0]
        around = other.key.rpartition(".")[0]
        if other.found == STRANGE and section == f"{around}.{meant}":
            return True  # a section inside an entry
        if other.found == STRANGE and (meant == name or section.startswith(meant)) and other.key != fault.key:
            return around in {section, meant.rpartition(".")[0]}
    return False
