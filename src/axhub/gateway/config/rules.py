"""What must hold between keys, as a list of pure rules (gateway/C2): each takes the draft and yields what it finds."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from axhub.configuration.document import Document
from axhub.configuration.faults import Fault, Place, excerpt
from axhub.configuration.kinds import FilePath
from axhub.contract.endpoints import Endpoint, Origin, is_ip_literal
from axhub.gateway.config.keys import BUNDLES, MCP, TABLE
from axhub.gateway.config.settings import LOCAL_PROFILE, ServeSettings


@dataclass(frozen=True, slots=True)
class Draft:
    """A typed document with what the rules need to know besides."""

    document: Document
    serve: ServeSettings
    folder: Path
    """Where the configuration file is; relative paths start here (decision/D24)."""
    unreadable: Callable[[Path], str | None]
    """Say why a file cannot be read, or None."""

    @property
    def discovers(self) -> bool | None:
        """`discovery.enabled`, or None if what is written there cannot be understood."""
        path = "discovery.enabled"
        return None if path in self.document.faulty else self.document.value(path)

    def fault(self, path: str, found: str, allowed: str) -> Fault:
        """Return a fault of the key at `path`."""
        return Fault(self.document.place(path), TABLE.whole(path), found, allowed)


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that is allowed and deserves to be known."""

    place: Place
    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}  {TABLE.whole(self.path)}  {self.text}"


Rule = Callable[[Draft], Iterator[Fault]]
WarningRule = Callable[[Draft], Iterator[Warned]]


def check(draft: Draft) -> list[Fault]:
    """Return what all rules find."""
    return [fault for rule in RULES for fault in rule(draft)]


def warn(draft: Draft) -> list[str]:
    """Return every warning as a line, in the order of the file."""
    found = [warned for rule in WARNINGS for warned in rule(draft)]
    return [str(warned) for warned in sorted(found, key=lambda warned: (warned.place, warned.path))]


def bundles_are_declared(draft: Draft) -> Iterator[Fault]:
    """With discovery there is something to discover."""
    document = draft.document
    if draft.discovers and not document.items(BUNDLES) and document.faulty.isdisjoint(("", "bundles")):
        yield draft.fault("bundles", "no bundle", "at least one bundle while discovery.enabled is true")


def ids_differ(draft: Draft) -> Iterator[Fault]:
    """State is kept by id."""
    first: dict[str, str] = {}
    for path, bundle_id in _texts(draft, "id"):
        if bundle_id in first:
            yield draft.fault(
                f"{path}.id", f'"{excerpt(bundle_id)}", the id of {first[bundle_id]} too', "an id of its own"
            )
        first.setdefault(bundle_id, path)


def prefixes_are_apart(draft: Draft) -> Iterator[Fault]:
    """A tool's name says which bundle it is of; empty prefixes bind nothing (decision/D23)."""
    seen: list[tuple[str, str]] = []
    for path, prefix in _texts(draft, "namePrefix"):
        for other, taken in seen:
            if prefix.startswith(taken) or taken.startswith(prefix):
                relation = "the same as" if prefix == taken else "in conflict with"
                found = f'"{prefix}", {relation} "{taken}" of {other}'
                yield draft.fault(f"{path}.namePrefix", found, "a prefix that is not the beginning of another one")
        seen.append((path, prefix))


def relaxations_are_local(draft: Draft) -> Iterator[Fault]:
    """Tools from files are for development only."""
    if draft.serve.local:
        return
    document = draft.document
    profile = f'the profile is "{excerpt(draft.serve.profile)}"'
    if draft.discovers is False:
        yield draft.fault("discovery.enabled", f"false while {profile}", f"true, or --profile {LOCAL_PROFILE}")
    for path in document.items(BUNDLES):
        key = f"{path}.fallbackManifestFile"
        if document.has(key):
            yield draft.fault(key, f"a fallback file while {profile}", f"no such key, or --profile {LOCAL_PROFILE}")


def local_file_replaces_discovery(draft: Draft) -> Iterator[Fault]:
    """`registry.localFile` stands with, and only with, `discovery.enabled: false` (gateway/C3)."""
    key = "registry.localFile"
    if draft.discovers and draft.document.has(key):
        yield draft.fault(
            key, "a local file while discovery.enabled is true", "no such key, or discovery.enabled: false"
        )
    if draft.discovers is False and not draft.document.has(key):
        yield draft.fault(key, "nothing while discovery.enabled is false", FilePath().allowed)


def bundles_have_an_address(draft: Draft) -> Iterator[Fault]:
    """A manifest has one address: `manifestUrl`, or `serviceDomain` and `manifestPath` (decision/D3)."""
    for path in draft.document.items(BUNDLES):
        if path in draft.document.faulty:
            continue
        mcp = draft.document.value(f"{path}.protocol") == MCP  # the other ways are refused below
        ways = "manifestUrl" if mcp else "manifestUrl, or serviceDomain and manifestPath"
        url, domain, below = (
            draft.document.has(f"{path}.{name}") and not (mcp and name != "manifestUrl")
            for name in ("manifestUrl", "serviceDomain", "manifestPath")
        )
        if url and below:
            yield draft.fault(f"{path}.manifestPath", "manifestPath beside manifestUrl", ways)
        elif not url and not domain and not below:
            yield draft.fault(f"{path}.manifestUrl", "nothing that says where the manifest is", ways)
        elif not url and not (domain and below):
            name, other = ("manifestPath", "serviceDomain") if domain else ("serviceDomain", "manifestPath")
            yield draft.fault(f"{path}.{name}", f"nothing beside {other}", ways)


def mcp_servers_have_one_address(draft: Draft) -> Iterator[Fault]:
    """Of an MCP server, `manifestUrl` says everything: lists and calls go there (gateway/P11)."""
    document = draft.document
    for path in document.items(BUNDLES):
        if document.value(f"{path}.protocol") != MCP:
            continue
        for name in ("baseEndpoint", "serviceDomain", "manifestPath", "allowedEndpointOrigins"):
            key = f"{path}.{name}"
            if document.has(key) or document.value(key):
                yield draft.fault(key, f"{name} beside protocol: mcp", "no such key: lists and calls go to manifestUrl")


def prefixes_are_added_to_what_has_none(draft: Draft) -> Iterator[Fault]:
    """Only names that are not ours to write get a prefix, and only one that there is (gateway/P11)."""
    document = draft.document
    for path in document.items(BUNDLES):
        if not document.value(f"{path}.addPrefix") or f"{path}.protocol" in document.faulty:
            continue
        if document.value(f"{path}.protocol") != MCP:
            found = "true for a Tool Service, whose own manifest has the names"
            yield draft.fault(f"{path}.addPrefix", found, "false, or protocol: mcp")
        elif not document.value(f"{path}.namePrefix") and f"{path}.namePrefix" not in document.faulty:
            yield draft.fault(f"{path}.addPrefix", "true without a namePrefix", "false, or a namePrefix beside it")


def files_are_readable(draft: Draft) -> Iterator[Fault]:
    """Every file that a key names can be read now."""
    for path, given in draft.document.given.items():
        if isinstance(_kind(path), FilePath) and (problem := draft.unreadable(draft.folder / given.value)):
            yield draft.fault(path, f'"{excerpt(given.value)}": {problem}', FilePath().allowed)


def certificate_and_key_go_together(draft: Draft) -> Iterator[Fault]:
    """A client certificate is of no use without its key, nor the key without it."""
    cert, key = (draft.document.has(f"tls.{name}") for name in ("certFile", "keyFile"))
    if cert != key:
        given, lacking = ("certFile", "keyFile") if cert else ("keyFile", "certFile")
        yield draft.fault(f"tls.{given}", f"no tls.{lacking} beside it", "both, or neither")


def addresses_are_numbers(draft: Draft) -> Iterator[Warned]:
    """An IP literal names one machine, which moves."""
    if draft.serve.local:
        return
    for path, given in draft.document.given.items():
        origin = given.value.origin if isinstance(given.value, Endpoint) else given.value
        if isinstance(origin, Origin) and is_ip_literal(origin):
            yield Warned(given.place, path, f"{origin.host} is one machine's address; a service name outlives it")


def any_origin_is_allowed(draft: Draft) -> Iterator[Warned]:
    """Decision D1's way out."""
    for path in draft.document.items(BUNDLES):
        key = f"{path}.allowedEndpointOrigins"
        if None in (draft.document.value(key) or ()):
            text = '"*" lets its manifest send calls, with their headers, to any address'
            yield Warned(draft.document.place(key), key, text)


def prefix_is_refused_by_models(draft: Draft) -> Iterator[Warned]:
    """Decision D4: names with `.` or `/` are valid, but model providers refuse them."""
    for path, prefix in _texts(draft, "namePrefix"):
        if "." in prefix or "/" in prefix:
            key = f"{path}.namePrefix"
            text = f'"{prefix}" has a . or /, which model providers refuse in tool names; use _'
            yield Warned(draft.document.place(key), key, text)


def authorization_is_forwarded(draft: Draft) -> Iterator[Warned]:
    """Decision D13 is a risk that the log names."""
    for path in draft.document.items(BUNDLES):
        key = f"{path}.forwardAuthorization"
        if draft.document.value(key):
            text = "the callers' Authorization goes on to this service: MCP forbids passing tokens through"
            yield Warned(draft.document.place(key), key, text)


RULES: Final[tuple[Rule, ...]] = (
    bundles_are_declared,
    ids_differ,
    prefixes_are_apart,
    relaxations_are_local,
    local_file_replaces_discovery,
    bundles_have_an_address,
    mcp_servers_have_one_address,
    prefixes_are_added_to_what_has_none,
    files_are_readable,
    certificate_and_key_go_together,
)
WARNINGS: Final[tuple[WarningRule, ...]] = (
    addresses_are_numbers,
    any_origin_is_allowed,
    prefix_is_refused_by_models,
    authorization_is_forwarded,
)


def _texts(draft: Draft, name: str) -> Iterator[tuple[str, str]]:
    """Yield the bundles that have a non-empty text at `name`."""
    for path in draft.document.items(BUNDLES):
        if text := draft.document.value(f"{path}.{name}"):
            yield path, text


def _kind(path: str) -> object:
    return TABLE.key(path).kind
