"""Which tools a run may use: those offered when it began, as far as the policy still allows them (agent/A6, agent/A9).

They come from several sources, and their names are told apart when the application starts.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Generic, NamedTuple, Protocol, TypeVar

from axhub.agent.domain.actor import Actor
from axhub.agent.domain.approval import version_of
from axhub.agent.domain.errors import RegistrationError
from axhub.agent.domain.limits import Limits
from axhub.agent.domain.runs import StopReason
from axhub.agent.ports.tools import Tool, ToolSource, ToolsUnavailableError
from axhub.agent.usecases.loop import Allowed, Offer

__all__ = ["CapabilityPolicy", "FixedVersion", "Now", "Offered", "Offering", "Resolve"]

A = TypeVar("A", bound=Actor)
C = TypeVar("C")
A_contra = TypeVar("A_contra", bound=Actor, contravariant=True)
C_co = TypeVar("C_co", covariant=True)

Resolve = Callable[[str, A], AbstractSet[C]]
"""The application's capability policy: which capabilities an agent has for an actor, now (agent/A4)."""


class CapabilityPolicy(Protocol[A_contra, C_co]):
    """Which capabilities an agent has for an actor, now; plain, typed, versioned Python (agent/A4)."""

    @property
    def version(self) -> str:
        """Stands in each run and audit entry; read whenever the policy is asked."""
        ...

    def resolve(self, agent: str, actor: A_contra) -> AbstractSet[C_co]:
        """Return them."""
        ...


class FixedVersion(Generic[A, C]):
    """A policy of a function, and the version that it had when the application began."""

    def __init__(self, resolve: Resolve[A, C], version: str) -> None:
        self._resolve = resolve
        self.version = version

    def resolve(self, agent: str, actor: A) -> AbstractSet[C]:
        """See `CapabilityPolicy`."""
        return self._resolve(agent, actor)


class Now(NamedTuple, Generic[A]):
    """What the policy allows now."""

    tools: Mapping[str, Tool[A]]
    policy_version: str

    @property
    def allowed(self) -> Allowed:
        """Without what the tools do."""
        return Allowed({name: tool.definition.digest for name, tool in self.tools.items()}, self.policy_version)


class Offered(NamedTuple, Generic[A]):
    """What a run begins with."""

    tools: Mapping[str, Tool[A]]
    stop: StopReason | None
    """Why it cannot go on with them; None: it can."""


class Offering(Generic[C, A]):
    """Tools from all sources, for the capabilities that the application resolves."""

    def __init__(self, sources: Sequence[ToolSource[C, A]], policy: CapabilityPolicy[A, C]) -> None:
        """Take the sources.

        Raises:
            RegistrationError: two of them have a tool of the same name, or the policy has no version.
        """
        self._sources = sources
        self._policy = policy
        version_of(policy)
        known: set[str] = set()
        for source in sources:
            for name in sorted(known & source.names):
                raise RegistrationError(f"tool {name!r}: two sources have this name; give one of the two another")
            known |= source.names

    @property
    def policy_version(self) -> str:
        """Of the policy, now."""
        return version_of(self._policy)

    @property
    def is_ready(self) -> bool:
        """Whether all sources know which tools there are; until then no run that waited goes on here (agent/A9)."""
        return all(source.is_ready for source in self._sources)

    async def offered(self, capabilities: AbstractSet[C], limits: Limits) -> Offered[A]:
        """Return the tools of a new run, summed over all sources; never a part of them (agent/A9, seed 001 §8)."""
        try:
            tools = await self.tools(capabilities)
        except ToolsUnavailableError:
            return Offered({}, StopReason.TOOLS_UNAVAILABLE)
        return Offered(tools, StopReason.TOO_MANY_TOOLS if len(tools) > limits.tools else None)

    async def tools(self, capabilities: AbstractSet[C]) -> Mapping[str, Tool[A]]:
        """Return the tools of some capabilities by name.

        Raises:
            ToolsUnavailableError: a source does not know its tools yet.
        """
        offered: dict[str, Tool[A]] = {}
        for source in self._sources:
            offered |= await source.tools(capabilities)
        return offered

    async def now(self, agent: str, actor: A) -> Now[A]:
        """Return what the policy allows now, and which version of it says so."""
        version = self.policy_version
        return Now(await self.tools(self._policy.resolve(agent, actor)), version)

    async def known(self, name: str) -> Tool[A] | None:
        """Return a tool whatever the policy says: to ask what became of a call, never to run one (agent/L6)."""
        for source in self._sources:
            if (tool := await source.known(name)) is not None:
                return tool
        return None

    def frozen(self, tools: Mapping[str, Tool[A]], agent: str, actor: A) -> Offer[A]:
        """Return the executable set of a run that was offered these tools."""

        async def allowed() -> Allowed:
            return (await self.now(agent, actor)).allowed

        return Offer(tools, allowed, self._names() | tools.keys())

    def nothing(self) -> Offer[A]:
        """Return the executable set of somebody who may do nothing any more."""

        async def allowed() -> Allowed:
            return Allowed({}, self.policy_version)

        return Offer({}, allowed, self._names())

    def _names(self) -> AbstractSet[str]:
        return frozenset(name for source in self._sources for name in source.names)
