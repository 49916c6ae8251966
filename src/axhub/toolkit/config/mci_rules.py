"""What must hold between the keys of an MCI system (toolkit/B3, toolkit/H1): pure rules over a typed document."""

from collections.abc import Iterator, Mapping
from typing import Final

from axhub.configuration.faults import Fault, excerpt
from axhub.toolkit.config.drafts import Draft, is_this_machine
from axhub.toolkit.config.keys import TABLE
from axhub.toolkit.config.mci_keys import LENGTH, MAX_SIZES, NO_LENGTH, OF_HTTP, OF_TCP, SYSTEMS
from axhub.toolkit.config.settings import LOCAL_PROFILE

__all__ = ["RULES", "lengths_can_be_written", "systems_are_whole"]

_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {"tcp": ("port", f"{LENGTH}.kind"), "http": ("domain", "url")}
_OTHERS: Final = {"tcp": ("http", OF_HTTP), "http": ("tcp", OF_TCP)}


def systems_are_whole(draft: Draft) -> Iterator[Fault]:
    """Each transport has the keys that it needs, and none of the other one."""
    for path in draft.document.items(SYSTEMS):
        transport = _transport(draft, path)
        if transport is None:
            continue
        hosts = ("host",) if transport == "tcp" and draft.document.value(f"{path}.port") else ()
        for name in (*hosts, *_NEEDED[transport]):
            if not draft.document.has(f"{path}.{name}"):
                yield _missing(draft, f"{path}.{name}")
        other, foreign = _OTHERS[transport]
        for name in foreign:
            if draft.document.has(f"{path}.{name}"):
                yield draft.fault(f"{path}.{name}", f"a key of the transport {other}", f"the keys of {transport} alone")


def lengths_can_be_written(draft: Draft) -> Iterator[Fault]:
    """A length field has a size that its kind can have, and a prefix is the field alone."""
    for path in draft.document.items(SYSTEMS):
        kind = draft.document.value(f"{path}.{LENGTH}.kind")
        if kind is None or kind == NO_LENGTH:
            continue
        key = f"{path}.{LENGTH}.size"
        size = draft.document.value(key)
        if size is None and not draft.document.has(key):
            yield _missing(draft, key)
        elif size is not None and size > MAX_SIZES[kind]:
            yield draft.fault(key, f"{size} with the kind {kind}", f"a whole number from 1 to {MAX_SIZES[kind]}")
        key = f"{path}.{LENGTH}.offset"
        offset = draft.document.value(key)
        if offset and draft.document.value(f"{path}.{LENGTH}.place") == "prefix":
            yield draft.fault(key, f"{offset} in a prefix", "0: a prefix is the length field and nothing else")


def hosts_are_real(draft: Draft) -> Iterator[Fault]:
    """A host that is this machine, and a port that is a mock's, are forgotten ones outside `local` (rule/TK614)."""
    if draft.profile == LOCAL_PROFILE:
        return
    meanwhile = f'while the profile is "{excerpt(draft.profile)}"'
    for path in draft.document.items(SYSTEMS):
        if _transport(draft, path) != "tcp":
            continue
        key = f"{path}.port"
        if draft.document.value(key) == 0:
            found = f"0, a mock that the service starts itself, {meanwhile}"
            yield draft.fault(key, found, f"a port from {draft.variable(key)}, or --profile {LOCAL_PROFILE}")
        key = f"{path}.host"
        host = draft.document.value(key)
        if host is not None and is_this_machine(host) and is_this_machine(draft.written(key)):
            found = f'"{excerpt(host)}", this machine, {meanwhile}'
            yield draft.fault(key, found, f"a host from {draft.variable(key)}, or --profile {LOCAL_PROFILE}")


def _transport(draft: Draft, path: str) -> str | None:
    """Return the transport of a system; None where what is written is none."""
    key = f"{path}.transport"
    return None if key in draft.document.faulty else str(draft.document.value(key))


def _missing(draft: Draft, key: str) -> Fault:
    return draft.fault(key, "nothing: the key is missing", f"{TABLE.key(key).allowed} (required)")


RULES: Final = (systems_are_whole, lengths_can_be_written, hosts_are_real)
