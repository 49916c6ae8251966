"""Whether each sample is called so that something reads it: part of TK503 (seed 003 §7, toolkit/B4)."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.toolkit.facts.following import HTTP
from axhub.toolkit.facts.service import Facts, Place
from axhub.toolkit.layout import SAMPLES
from axhub.toolkit.rules.api_names import known_names
from axhub.toolkit.rules.interface_ids import known_interfaces
from axhub.toolkit.rules.model import Breach, Message, Text
from axhub.toolkit.rules.telling.authored import listed, nearest

__all__ = ["NAMES", "Known", "unread_among", "unread_samples"]

_HTTP: Final = "http-"
_MCI: Final = "mci-"
_READ: Final = re.compile(r"http-.+\.json|mci-.+\.(?:json|hex)")
_ENDINGS: Final[Mapping[str, tuple[str, ...]]] = {_HTTP: ("json",), _MCI: ("json", "hex")}
_SAMPLES: Final = (".json", ".hex")
_NUMBER: Final = re.compile(r"-[0-9]+$")


@dataclass(frozen=True, slots=True)
class Known:
    """What names of samples may stand for."""

    folder: str
    """Of the samples, as their paths say it."""
    tools: Collection[str]
    apis: Collection[str] | None
    """Their names; None: there may be others."""
    interfaces: Collection[str] | None
    """Their ids; None: there may be others."""


def unread_samples(facts: Facts) -> Mapping[str, Breach]:
    """Return what is wrong with the names of samples, by path; each of these nothing reads."""
    return unread_among(
        (*(path for paths in facts.samples.values() for path in paths), *facts.sample_texts),
        Known(
            f"{facts.project.folder}/{SAMPLES}",
            {one.name for one in facts.declared if one.name is not None},
            known_names(facts, HTTP),
            known_interfaces(facts),
        ),
    )


def unread_among(paths: Iterable[str], known: Known) -> Mapping[str, Breach]:
    """Return the same of files in the folder of samples; what is called like no sample at all is passed over."""
    meant = dict.fromkeys(path for path in paths if path.endswith(_SAMPLES) or _is_meant(path))
    names = _Names(known, frozenset(meant))
    found = ((path, names.fault(path)) for path in meant)
    return {path: breach for path, breach in found if breach is not None}


def _is_meant(path: str) -> bool:
    """Say whether a file is called like a sample but for its ending: `http-claim.jsn`, no notes or copies beside it."""
    name = path.rpartition("/")[2]
    prefix, (_, dot, ending) = _prefix(name), name.rpartition(".")
    is_copy = ending.endswith("~")
    return prefix is not None and not is_copy and (not dot or nearest(ending, _ENDINGS[prefix]) is not None)


def _prefix(name: str) -> str | None:
    return next((one for one in _ENDINGS if name.startswith(one)), None)


class _Names:
    """Compares names of samples with what they may stand for."""

    def __init__(self, known: Known, taken: Collection[str]) -> None:
        self._known = known
        self._taken = taken
        self._of = {_HTTP: known.apis, _MCI: known.interfaces}

    def fault(self, path: str) -> Breach | None:
        """Return what is wrong with a sample's name, if something is."""
        folder, _, name = path.rpartition("/")
        prefix, tool = _prefix(name), folder.rpartition("/")[2]
        owner = tool if tool in self._known.tools and path.endswith(_SAMPLES) else None
        if prefix is None and owner is None:
            return None
        at = Place(path, 1, 1)
        if _READ.fullmatch(name) is None:
            return Breach(at, "misnamed", {"path": path}, owner)
        if prefix is not None and folder.rpartition("/")[0] != self._known.folder:
            values = {"path": path, "folder": self._known.folder, "file": name}
            return Breach(at, "astray", values, owner)
        known = None if prefix is None else self._of[prefix]
        return None if prefix is None or known is None else self._stranger(path, prefix, known, owner)

    def _stranger(self, path: str, prefix: str, known: Collection[str], tool: str | None) -> Breach | None:
        """Return that a sample is one of an API or interface that there is not."""
        stem, _, ending = path.rpartition("/")[2].removeprefix(prefix).rpartition(".")
        name = _NUMBER.sub("", stem)
        if not {stem, name}.isdisjoint(known):
            return None
        near = nearest(name, sorted(known))
        new = "" if near is None else self._free(path.rpartition("/")[0], f"{prefix}{near}", ending)
        values = {"path": path, "name": excerpt(name), "known": listed(sorted(known)) or "-", "file": new}
        kind = "api" if prefix == _HTTP else "interface"
        return Breach(Place(path, 1, 1), f"{kind}-{'unknown' if near is None else 'misspelt'}", values, tool)

    def _free(self, folder: str, stem: str, ending: str) -> str:
        """Return what a file can be called that is a sample of another name, and is not there yet."""
        return next(name for name in _numbered(stem, ending) if f"{folder}/{name}" not in self._taken)


def _numbered(stem: str, ending: str) -> Iterator[str]:
    yield f"{stem}.{ending}"
    for number in count(2):
        yield f"{stem}-{number}.{ending}"


_NO_API: Final = Text(
    'Nothing reads {path}: no API is called "{name}".',
    '{path} 파일을 읽는 곳이 없습니다. "{name}" 이름의 API가 없습니다.',
)
_NO_INTERFACE: Final = Text(
    'Nothing reads {path}: no layout has the interface id "{name}".',
    '{path} 파일을 읽는 곳이 없습니다. 인터페이스 ID가 "{name}"인 레이아웃이 없습니다.',
)
_RENAME: Final = Text("Rename it to `{file}`.", "`{file}`(으)로 이름을 바꾸십시오.")

NAMES: Final[Mapping[str, Message]] = {
    "misnamed": Message(
        Text(
            "Nothing reads {path}: it is called like no sample.",
            "{path} 파일을 읽는 곳이 없습니다. 샘플 이름이 아닙니다.",
        ),
        Text(
            "Rename it to `http-{{api}}.json` with the name of the API, or to `mci-{{INTERFACE}}.json` or `.hex`.",
            "API 이름을 넣은 `http-{{api}}.json`, 또는 `mci-{{INTERFACE}}.json`이나 `.hex`로 이름을 바꾸십시오.",
        ),
    ),
    "astray": Message(
        Text(
            "Nothing reads {path}: a sample stands in the folder of its tool.",
            "{path} 파일을 읽는 곳이 없습니다. 샘플은 도구의 폴더에 있어야 합니다.",
        ),
        Text("Move it to {folder}/{{tool}}/{file}.", "{folder}/{{tool}}/{file} 경로로 옮기십시오."),
    ),
    "api-misspelt": Message(_NO_API, _RENAME),
    "api-unknown": Message(
        _NO_API,
        Text(
            "Rename it to `http-{{api}}.json` with the name of an API ({known}), or remove it.",
            "API 이름({known})을 넣은 `http-{{api}}.json`으로 이름을 바꾸거나 파일을 지우십시오.",
        ),
    ),
    "interface-misspelt": Message(_NO_INTERFACE, _RENAME),
    "interface-unknown": Message(
        _NO_INTERFACE,
        Text(
            "Rename it to `mci-{{INTERFACE}}` with the id of a layout ({known}), or remove it.",
            "레이아웃 ID({known})를 넣은 `mci-{{INTERFACE}}`로 이름을 바꾸거나 파일을 지우십시오.",
        ),
    ),
}
