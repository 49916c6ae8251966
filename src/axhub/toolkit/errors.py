"""Errors that a tool answers with (toolkit/S3): whose fault it was decides the status."""

from typing import ClassVar, Final

__all__ = ["LegacyError", "ToolError", "is_refusal"]

_CLIENT_ERRORS: Final = range(400, 500)


def is_refusal(status: object) -> bool:
    """Say whether a status is one that a `ToolError` may have: 400 to 499."""
    return isinstance(status, int) and not isinstance(status, bool) and status in _CLIENT_ERRORS


class ToolError(Exception):
    """A declared answer to a call that cannot succeed; subclasses name status and code.

    ```python
    class ClaimNotFound(ToolError, status=404, code="CLAIM_NOT_FOUND"):
        \"\"\"No claim has this number.\"\"\"


    raise ClaimNotFound("청구번호에 해당하는 청구가 없습니다.", field="claimNo")
    ```

    The model reads the message and can mend its call, so it says what to do and holds nothing internal.
    """

    status: ClassVar[int] = 400
    code: ClassVar[str] = "REFUSED"

    def __init_subclass__(cls, *, status: int | None = None, code: str | None = None, **options: object) -> None:
        super().__init_subclass__(**options)
        if status is not None:
            cls.status = status
        if not is_refusal(cls.status):
            raise TypeError(
                f"{cls.__name__}: status {cls.status} is not one of 400 to 499; a fault of ours is no answer"
            )
        if code is not None:
            cls.code = code
        found: object = cls.code  # an author may write anything there
        if not isinstance(found, str) or not found:
            raise TypeError(f"{cls.__name__}: code {cls.code!r} is no text; write one such as CLAIM_NOT_FOUND")

    def __init__(self, message: str, *, field: str | None = None) -> None:
        """Take the text for the model and, if one is to blame, the argument's wire name."""
        super().__init__(message)
        self.message = message
        self.field = field


class LegacyError(Exception):
    """A legacy system refused: its code and text. Uncaught, it is an internal error of the tool.

    A use case that knows what a code means raises a `ToolError` from it.
    """

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.message = message
