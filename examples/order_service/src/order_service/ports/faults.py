"""What any port may say when the other side is not there."""

__all__ = ["UnavailableError"]


class UnavailableError(Exception):
    """What is behind the port is away, full or too slow; trying the same again later is safe."""
