"""The table of keys that a configuration is read by: each part of the product has its own.

A key's path is written with `[]` for any index of a list (`bundles[].id`) and with `{}` for any name of a section whose
names are free (`tools.{}.timeoutMillis`, `headers.{}`). What is written stands at a concrete path: `bundles[0].id`,
`tools.claim_search.timeoutMillis`; a name with a dot in it stands in quotes there (`tools."claim.search"`).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple

from axhub.configuration.kinds import Kind, NotYet

ANY_NAME: Final = "{}"
_SEGMENT: Final = re.compile(r'(?P<name>"[^"]*"|[^.\["]+)(?P<item>\[\d*\])?(?:\.|$)')
_FREE_NAME: Final = re.compile(r'[^\s"\[\]{}]{1,128}')


class Missing(Enum):
    """What a key is when it is left out and has no default."""

    REQUIRED = "required"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Key:
    """One key."""

    path: str
    """Below the table's root, with `[]` for any index and `{}` for any name."""
    kind: Kind
    default: object
    """The default, or why there is none."""
    meaning: str
    many: bool = False
    """A list of `kind`."""

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        return f"a list, each item {self.kind.allowed}" if self.many else self.kind.allowed

    @property
    def section(self) -> str:
        """The path of the section that the key stands in; empty for the top."""
        return self.path.rpartition(".")[0]

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Environment:
    """How variables of the environment stand over the file: `AXHUB_MCP__DISCOVERY__ENABLED` over `discovery.enabled`.

    The name is the prefix and the path below the root in upper case, with `__` between the parts and before an index,
    and `_` for a dash or a dot in a name: `http.api-list[0].url` is `…HTTP__API_LIST__0__URL`.
    """

    prefix: str
    """What all of them start with; each variable that does must be the name of a key, so nothing else may start so."""
    example: str
    """The path of a key, shown where a variable is none."""


class Segment(NamedTuple):
    """One part of a path, without quotes."""

    name: str
    item: str
    """`[0]` in a concrete path, `[]` in a template, else empty."""


def segments(path: str) -> Iterator[Segment]:
    """Take a path apart at its dots."""
    for match in _SEGMENT.finditer(path):
        yield Segment(match["name"].strip('"'), match["item"] or "")


def joined(path: str, name: str) -> str:
    """Return the concrete path of a name below a section."""
    shown = f'"{name}"' if "." in name else name
    return f"{path}.{shown}" if path else shown


def is_free_name(name: str) -> bool:
    """Say whether a name may stand where names are free."""
    return bool(_FREE_NAME.fullmatch(name)) and name.isprintable() and name not in {"?", "<<"}


FREE_NAME: Final = 'a name of at most 128 characters without blanks and without " [ ] { }'


@dataclass(frozen=True, slots=True)
class Table:
    """All keys of one kind of configuration."""

    root: str
    """The top-level section that the keys stand in, all others being ignored; empty: they stand at the top, alone."""
    keys: tuple[Key, ...]
    environment: Environment | None = None
    """None: no variable stands over the file."""
    own_settings: bool = False
    """Whether `${server.port}` is the value of that key, besides `${NAME}` for a variable."""
    by_path: Mapping[str, Key] = field(init=False, repr=False, compare=False)
    sections: frozenset[str] = field(init=False, repr=False, compare=False)
    """Paths of the sections: the empty one, `registry`, …, `bundles[]`, `tools.{}`."""
    _known: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sections = {""} | {above for key in self.keys for above in _above(key.path)}
        known = sections | {key.path for key in self.keys}
        object.__setattr__(self, "by_path", {key.path: key for key in self.keys})
        object.__setattr__(self, "sections", frozenset(sections))
        object.__setattr__(self, "_known", frozenset(known | {path.removesuffix("[]") for path in known}))

    def whole(self, path: str) -> str:
        """Return a path as it stands in the file, with the root before it."""
        return f"{self.root}.{path}" if self.root and path else self.root or path

    def child(self, section: str, name: str) -> str | None:
        """Return the template of what stands under a name in a section; None if nothing of that name may."""
        start = f"{section}." if section else ""
        literal = f"{start}{name}"
        if "." not in name and "[" not in name and name != ANY_NAME and literal in self._known:
            return literal
        free = f"{start}{ANY_NAME}"
        return free if free in self._known else None

    def template(self, path: str) -> str:
        """Return the template of a concrete path: `bundles[0].id` is `bundles[].id` in the table."""
        found = ""
        for name, item in segments(path):
            below = self.child(found, name)
            plain = f"{found}.{name}" if found else name
            found = (plain if below is None else below) + ("[]" if item else "")
        return found

    def key(self, path: str) -> Key:
        """Return the key of a concrete path, or of the list that an item's path is in."""
        return self.by_path[self.template(path).removesuffix("[]")]

    def names_in(self, section: str) -> tuple[str, ...]:
        """Return what stands in a section, keys and sections, in the table's order; `{}` for free names."""
        return _names(section, self.keys)

    def offered_in(self, section: str) -> tuple[str, ...]:
        """Return what may stand in a section: `names_in` without what is not available yet."""
        return _names(section, tuple(key for key in self.keys if not isinstance(key.kind, NotYet)))

    def variable(self, path: str) -> str:
        """Return the variable that sets the key at a concrete path: `bundles[0].id` is `…BUNDLES__0__ID`.

        Raises:
            ValueError: no variables stand over this configuration.
        """
        if self.environment is None:
            raise ValueError("this configuration takes no variables")
        parts = (folded(name) + item.replace("[", "__").replace("]", "") for name, item in segments(path))
        return self.environment.prefix + "__".join(parts).upper()


def folded(name: str) -> str:
    """Return a name as it is compared with a part of a variable's name."""
    return name.casefold().replace("-", "_").replace(".", "_")


def _above(path: str) -> Iterator[str]:
    parts = path.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts)))


def _names(section: str, keys: tuple[Key, ...]) -> tuple[str, ...]:
    start = f"{section}." if section else ""
    below = (key.path.removeprefix(start) for key in keys if key.path.startswith(start))
    return tuple(dict.fromkeys(path.partition(".")[0].removesuffix("[]") for path in below))
