"""What a Tool Service's configuration says, for the rules: places, variables and faults, whatever is set (toolkit/H1).

A check runs on any machine, so no variable of the environment counts here: a value that needs one without a default is
unknown, and nothing is said about it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from axhub.configuration.document import Variable, read_document, variables
from axhub.configuration.faults import Fault
from axhub.configuration.faults import Place as WrittenPlace
from axhub.configuration.flatten import Flat
from axhub.configuration.kinds import NotAllowedError
from axhub.configuration.secrets import EnvOnly
from axhub.configuration.source import Scalar
from axhub.configuration.table import segments
from axhub.configuration.values import Shape, Substituted, substitute, typed
from axhub.toolkit.config import mci_rules, rules
from axhub.toolkit.config.keys import APIS, TABLE, TOOLS
from axhub.toolkit.config.loading import read_flat
from axhub.toolkit.config.mci_keys import SYSTEMS
from axhub.toolkit.config.settings import LOCAL_PROFILE
from axhub.toolkit.facts.service import Api, Located, Place, Settings, System

__all__ = ["settings_facts"]

_STAND_IN: Final = "1"
"""What stands in for a variable that must be set."""
_HIDDEN: Final = "***"
_HEADERS: Final = "headers"
_UNKNOWN: Final = "an unknown key"


def settings_facts(path: Path, shown: str) -> Settings:
    """Return what a configuration says; whatever is wrong with it, there is an answer.

    Args:
        path: the file.
        shown: what places call it.
    """
    flat, faults = read_flat(path, shown)
    return _Reading(flat, faults).settings(shown)


class _Reading:
    """One configuration while its facts are taken."""

    def __init__(self, flat: Flat, faults: list[Fault]) -> None:
        self._flat = flat
        self._read = variables(flat)
        self._environ = {one.name: _STAND_IN for one in self._read if one.required}
        self._unknown = {one.path for one in self._read if one.name in self._environ}
        self._document, found = read_document(flat, self._environ)
        draft = rules.Draft(self._document, flat, self._environ, LOCAL_PROFILE)
        found += rules.retries_are_idempotent(draft)
        found += (
            fault for rule in (mci_rules.systems_are_whole, mci_rules.lengths_can_be_written) for fault in rule(draft)
        )
        faults += [fault for fault in found if not self._is_unknown(fault)]
        self._faults = [*faults, *rules.headers_can_be_sent(draft)]

    def settings(self, shown: str) -> Settings:
        known = self._document.value
        return Settings(
            path=shown,
            bundle_id=known("mcp.bundleId") or "",
            namespace=known("mcp.namespace") or "",
            timeouts=dict(self._timeouts()),
            apis=tuple(self._apis()),
            systems=tuple(self._systems()),
            disabled=tuple(self._disabled()),
            publish_output_schema=known("publishOutputSchema"),
            namespace_place=self._place_of("mcp.namespace"),
            tool_places={one.name: _place(one.place) for one in self._document.names(TOOLS)},
            faults=tuple((self._place_of_fault(one), _said(one), one.allowed) for one in sorted(set(self._faults))),
        )

    def _place_of_fault(self, fault: Fault) -> Place:
        """Return where the value stands that cannot be used; of a key that is wrong or missing, where that is."""
        entry = self._flat.entries.get(fault.key)
        if entry is None or not isinstance(entry.value, Scalar) or entry.value.place.line != fault.place.line:
            return _place(fault.place)
        is_of_key = fault.found == _UNKNOWN or (f".{_HEADERS}." in fault.key and not fault.allowed.startswith("${"))
        return _place(fault.place if is_of_key else entry.value.place)

    def _is_unknown(self, fault: Fault) -> bool:
        """Say whether a fault is about a stand-in only: with the right variable there may be none."""
        entry = self._flat.entries.get(fault.key)
        if fault.key not in self._unknown or entry is None or not isinstance(entry.value, Scalar):
            return False
        return not substitute(entry.value.text, self._environ, lambda _: Substituted("", ())).problems

    def _timeouts(self) -> Iterator[tuple[str, Located[int]]]:
        for named in self._document.names(TOOLS):
            path = f"{named.path}.timeoutMillis"
            if path in self._document.given and path not in self._unknown:
                yield named.name, Located(self._document.value(path), self._place_of(path))

    def _disabled(self) -> Iterator[Located[str]]:
        for path in self._document.items("disabledTools"):
            if path in self._document.given and path not in self._unknown:
                yield Located(self._document.given[path].value, self._place_of(path))

    def _apis(self) -> Iterator[Api]:
        """Yield the entries that have a name; of the others the faults tell."""
        for path in self._document.items(APIS):
            name = self._document.value(f"{path}.name")
            if name is None:
                continue
            read = [one for one in self._read if one.path.startswith(f"{path}.")]
            yield Api(
                name=Located(name, self._place_of(f"{path}.name")),
                values=self._values(path),
                environment={one.name: self._place_of(one.path) for one in reversed(read)},
                secrets=frozenset(one.name for one in read if _is_secret(one)),
                connect_millis=self._millis(f"{path}.connectTimeoutMillis"),
                read_millis=self._millis(f"{path}.readTimeoutMillis"),
                total_millis=self._millis(f"{path}.totalTimeoutMillis"),
                method=self._text(f"{path}.method"),
                url=self._text(f"{path}.url"),
                content_type=self._text(f"{path}.content-type"),
            )

    def _systems(self) -> Iterator[System]:
        """Yield the MCI systems that have a name; of the others the faults tell."""
        for path in self._document.items(SYSTEMS):
            name = self._document.value(f"{path}.name")
            if name is None:
                continue
            written = {
                key.removeprefix(f"{path}."): Located(_written(entry.value), self._place_of(key))
                for key, entry in self._flat.entries.items()
                if key.startswith(f"{path}.") and key != f"{path}.name"
            }
            read = [one for one in self._read if one.path.startswith(f"{path}.")]
            yield System(
                name=Located(name, self._place_of(f"{path}.name")),
                values=written,
                environment={one.name: self._place_of(one.path) for one in reversed(read)},
                transport=self._document.value(f"{path}.transport"),
                connect_millis=self._millis(f"{path}.connectTimeoutMillis"),
                total_millis=self._millis(f"{path}.totalTimeoutMillis"),
            )

    def _values(self, path: str) -> Mapping[str, Located[Any]]:
        """Return what is written in an entry; of its headers the variables, and nothing else that stands there."""
        found: dict[str, Located[Any]] = {}
        headers: dict[str, str] = {}
        for key, entry in self._flat.entries.items():
            if not key.startswith(f"{path}."):
                continue
            name = [segment.name for segment in segments(key.removeprefix(f"{path}."))]
            if name[0] == _HEADERS:
                headers[name[-1]] = _written_secret(entry.value)
            elif name[0] != "name":
                found[name[0]] = Located(_written(entry.value), self._place_of(key))
        if headers:
            found[_HEADERS] = Located(headers, _place(self._document.place(f"{path}.{_HEADERS}")))
        return found

    def _millis(self, path: str) -> int:
        """Return a bound; the default where nothing usable is written."""
        value = None if path in self._unknown else self._document.value(path)
        default = TABLE.key(path).default
        return value if isinstance(value, int) else default if isinstance(default, int) else 0

    def _text(self, path: str) -> str:
        """Return a text; empty where nothing usable is written, or a variable that must be set decides."""
        value = None if path in self._unknown else self._document.value(path)
        return value if isinstance(value, str) else ""

    def _place_of(self, path: str) -> Place:
        """Return where a value stands, or the section around it if there is none."""
        entry = self._flat.entries.get(path)
        return _place(self._document.place(path) if entry is None else entry.value.place)


def _place(place: WrittenPlace) -> Place:
    return Place(place.source, place.line, place.column)


def _said(fault: Fault) -> str:
    return f"{fault.key}: {fault.found}" if fault.key else fault.found


def _is_secret(variable: Variable) -> bool:
    return isinstance(TABLE.key(variable.path).kind, EnvOnly)


def _written(value: object) -> Any:
    """Return a single value as it is written, by its spelling; None for anything else."""
    if not isinstance(value, Scalar):
        return None
    raw = typed(value, value.text)
    if raw.shape is Shape.BOOLEAN:
        return raw.boolean
    if raw.shape is Shape.INTEGER:
        return int(raw.text)
    return None if raw.shape is Shape.NOTHING else raw.text


def _written_secret(value: object) -> str:
    """Return a reference to a variable; whatever else stands there may be a secret."""
    text = value.text if isinstance(value, Scalar) else ""
    try:
        EnvOnly().check_written(text)
    except NotAllowedError:
        return _HIDDEN
    return text
