"""Errors that mean something to the loop; every other exception is one of ours and tells nobody anything (agent/L5)."""

__all__ = ["AgentError", "ArgumentsError", "NeverKnownError", "OutcomeUnknownError", "RegistrationError", "ToolError"]


class AgentError(Exception):
    """What the library raises by itself."""


class ToolError(Exception):
    """A tool cannot do what it was asked, before anything took effect; the only error text that a model is shown."""

    def __init__(self, code: str, public_message: str) -> None:
        """Take what the model reads.

        Args:
            code: a stable name, such as `ORDER_NOT_FOUND`.
            public_message: what is wrong and what to do; nothing internal.
        """
        super().__init__(code)
        self.code = code
        self.public_message = public_message


class OutcomeUnknownError(Exception):
    """A tool does not know whether its effect happened: it timed out after it had sent something (agent/L6)."""


class NeverKnownError(OutcomeUnknownError):
    """A tool has no way to find out what became of a call, now or later: a person has to (agent/L6)."""


class ArgumentsError(Exception):
    """The model's arguments do not fit the tool's schema; the text names each place and what is allowed there."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class RegistrationError(AgentError, TypeError):
    """A tool or a registry that cannot be used; raised when the application starts."""
