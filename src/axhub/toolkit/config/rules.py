"""What must hold between the keys of a Tool Service's configuration (toolkit/H1): pure rules over a typed document."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from axhub.configuration.faults import Fault, excerpt
from axhub.contract.endpoints import EndpointError, parse_origin
from axhub.toolkit.config import mci_rules
from axhub.toolkit.config.drafts import Draft, is_this_machine
from axhub.toolkit.config.keys import APIS, IDEMPOTENT
from axhub.toolkit.config.mci_keys import SYSTEMS
from axhub.toolkit.config.settings import LOCAL_PROFILE, is_mocked

__all__ = ["Draft", "check", "headers_can_be_sent", "names_differ", "retries_are_idempotent"]

_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}")
_TAKEN: Final = frozenset(
    {
        *("trace-id", "request-id", "employee-id", "host", "content-length", "content-type", "content-encoding"),
        *("transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade", "expect", "accept-encoding"),
        *("cookie", "proxy-authorization", "proxy-connection"),
    }
)

Rule = Callable[[Draft], Iterator[Fault]]


def check(draft: Draft) -> list[Fault]:
    """Return what all rules find."""
    return [fault for rule in _RULES for fault in rule(draft)]


def names_differ(draft: Draft) -> Iterator[Fault]:
    """A client names its API or system and nothing else."""
    for entries in (APIS, SYSTEMS):
        first: dict[str, str] = {}
        for path in draft.document.items(entries):
            name = draft.document.value(f"{path}.name")
            if name in first:
                found = f'"{excerpt(name)}", the name of {first[name]} too'
                yield draft.fault(f"{path}.name", found, "a name of its own")
            elif name is not None:
                first[name] = path


def retries_are_idempotent(draft: Draft) -> Iterator[Fault]:
    """What changes something is never sent twice (toolkit/H2)."""
    for path in draft.document.items(APIS):
        method, retries = draft.document.value(f"{path}.method"), draft.document.value(f"{path}.maxRetries")
        if retries and method is not None and method not in IDEMPOTENT:
            yield draft.fault(f"{path}.maxRetries", f"{retries} with the method {method}", "0: it is not sent twice")


def headers_can_be_sent(draft: Draft) -> Iterator[Fault]:
    """Names are names of headers, each once, and none that HTTP or a call's context decides."""
    for path in draft.document.items(APIS):
        first: dict[str, str] = {}
        for named in draft.document.names(f"{path}.headers"):
            name = named.name.lower()
            if name in _TAKEN:
                found = f"{named.name}, which is set for each call"
                yield draft.fault(named.path, found, "the name of another header", named.place)
            elif not _HEADER.fullmatch(name):
                found = "what is no name of a header"
                yield draft.fault(named.path, found, "a name such as Authorization or X-Api-Key", named.place)
            elif name in first:
                found = f"the header a second time (also as {first[name]})"
                yield draft.fault(named.path, found, "each header once", named.place)
            first.setdefault(name, named.name)


def addresses_are_real(draft: Draft) -> Iterator[Fault]:
    """An address of this machine that nobody chose for this deployment is a forgotten one (rule/TK614)."""
    if draft.profile == LOCAL_PROFILE:
        return
    for path in _entries(draft):
        key = f"{path}.domain"
        origin = draft.document.value(key)
        if origin is not None and is_this_machine(origin.host) and _stands_in_the_file(draft, key):
            found = f'"{origin}", this machine, while the profile is "{excerpt(draft.profile)}"'
            yield draft.fault(key, found, f"an address from {draft.variable(key)}, or --profile {LOCAL_PROFILE}")


def mocks_are_local(draft: Draft) -> Iterator[Fault]:
    """A path of the mocks that nobody chose for this deployment is a forgotten one too: nothing real answers there."""
    if draft.profile == LOCAL_PROFILE:
        return
    for path in _entries(draft):
        key = f"{path}.url"
        url = draft.document.value(key)
        if url is not None and is_mocked(url) and is_mocked(draft.written(key)):
            found = f'"{excerpt(url)}", a path of the mocks, while the profile is "{excerpt(draft.profile)}"'
            yield draft.fault(key, found, f"a path from {draft.variable(key)}, or --profile {LOCAL_PROFILE}")


def _entries(draft: Draft) -> tuple[str, ...]:
    return (*draft.document.items(APIS), *draft.document.items(SYSTEMS))


def _stands_in_the_file(draft: Draft, key: str) -> bool:
    """Say whether the host is the file's, and not what a variable of the environment says."""
    try:
        return is_this_machine(parse_origin(draft.written(key)).host)
    except EndpointError:
        return False


_RULES: Final[tuple[Rule, ...]] = (
    names_differ,
    retries_are_idempotent,
    headers_can_be_sent,
    addresses_are_real,
    mocks_are_local,
    *mci_rules.RULES,
)
