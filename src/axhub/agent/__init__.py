"""The agent library: what authors of tools and of applications with an agent import.

A tool is a class with typed arguments and a typed result; a registry says which capability stands for which tools; the
library owns the loop between a model and them, the approvals, and the proof of what was done:

```python
from axhub.agent import AskRequest, Effect, LoopSettings, Tool, ToolArgs, ToolRegistry, ToolResult, build_agent
```
"""

from axhub.agent.domain.actor import Actor, CallContext
from axhub.agent.domain.approval import ApprovalPolicy, Decider, Decision, EveryWriteNeedsApproval
from axhub.agent.domain.definition import Effect, ToolDefinition
from axhub.agent.domain.errors import AgentError, OutcomeUnknownError, RegistrationError, ToolError
from axhub.agent.domain.limits import Limits
from axhub.agent.domain.outcomes import (
    Answered,
    AskRequest,
    NotAuthenticatedError,
    Outcome,
    Stopped,
    ToolAbortedError,
    Waiting,
)
from axhub.agent.domain.runs import StopReason
from axhub.agent.main import Agent, build_agent
from axhub.agent.registry import FixedTools, ToolRegistry
from axhub.agent.tool import Tool, ToolArgs, ToolResult
from axhub.agent.usecases.dispatch import ErrorPolicy
from axhub.agent.usecases.loop import LoopSettings

__all__ = [
    "Actor",
    "Agent",
    "AgentError",
    "Answered",
    "ApprovalPolicy",
    "AskRequest",
    "CallContext",
    "Decider",
    "Decision",
    "Effect",
    "ErrorPolicy",
    "EveryWriteNeedsApproval",
    "FixedTools",
    "Limits",
    "LoopSettings",
    "NotAuthenticatedError",
    "Outcome",
    "OutcomeUnknownError",
    "RegistrationError",
    "StopReason",
    "Stopped",
    "Tool",
    "ToolAbortedError",
    "ToolArgs",
    "ToolDefinition",
    "ToolError",
    "ToolRegistry",
    "ToolResult",
    "Waiting",
    "build_agent",
]
