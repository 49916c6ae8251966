"""The agent library: what authors of tools and of applications with an agent import.

A tool is a class with typed arguments and a typed result; a registry says which capability stands for which tools; the
library owns the loop between a model and them, the approvals, and the proof of what was done:

```python
from axhub.agent import AskRequest, Effect, LoopSettings, Tool, ToolArgs, ToolRegistry, ToolResult, build_agent
```
"""

from axhub.agent.adapters.mcp_tools.mapping import by_hint, reads, writes
from axhub.agent.adapters.mcp_tools.server import McpServer
from axhub.agent.domain.actor import Actor, CallContext
from axhub.agent.domain.approval import ApprovalPolicy, Decider, Decision, EveryWriteNeedsApproval
from axhub.agent.domain.definition import Effect, ToolDefinition
from axhub.agent.domain.errors import AgentError, OutcomeUnknownError, RegistrationError, ToolError
from axhub.agent.domain.limits import Limits
from axhub.agent.domain.outcomes import (
    Answered,
    AskRequest,
    NotApproverError,
    NotAuthenticatedError,
    Outcome,
    Stopped,
    ToolAbortedError,
    Waiting,
)
from axhub.agent.domain.results import FullResult
from axhub.agent.domain.runs import StopReason
from axhub.agent.domain.settlement import Finding
from axhub.agent.main import Agent, build_agent
from axhub.agent.ports.actor_cipher import ActorCipher, SealedActor
from axhub.agent.ports.current_actor import CurrentActor
from axhub.agent.ports.runs import (
    LostLeaseError,
    NotFoundError,
    PendingApprovalError,
    RunInProgressError,
    StoreUnavailableError,
)
from axhub.agent.registry import FixedTools, ToolRegistry
from axhub.agent.sources import mcp_tools, tool_digests
from axhub.agent.tool import Tool, ToolArgs, ToolResult
from axhub.agent.usecases.dispatch import ErrorPolicy
from axhub.agent.usecases.forget import Ages, Retention
from axhub.agent.usecases.loop import LoopSettings
from axhub.agent.usecases.offering import CapabilityPolicy

__all__ = [
    "Actor",
    "ActorCipher",
    "Agent",
    "AgentError",
    "Ages",
    "Answered",
    "ApprovalPolicy",
    "AskRequest",
    "CallContext",
    "CapabilityPolicy",
    "CurrentActor",
    "Decider",
    "Decision",
    "Effect",
    "ErrorPolicy",
    "EveryWriteNeedsApproval",
    "Finding",
    "FixedTools",
    "FullResult",
    "Limits",
    "LoopSettings",
    "LostLeaseError",
    "McpServer",
    "NotApproverError",
    "NotAuthenticatedError",
    "NotFoundError",
    "Outcome",
    "OutcomeUnknownError",
    "PendingApprovalError",
    "RegistrationError",
    "Retention",
    "RunInProgressError",
    "SealedActor",
    "StopReason",
    "Stopped",
    "StoreUnavailableError",
    "Tool",
    "ToolAbortedError",
    "ToolArgs",
    "ToolDefinition",
    "ToolError",
    "ToolRegistry",
    "ToolResult",
    "Waiting",
    "build_agent",
    "by_hint",
    "mcp_tools",
    "reads",
    "tool_digests",
    "writes",
]
