"""What the start of a service would say about its wiring, without making anything (rule/TK203)."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from axhub.toolkit.facts.service import Place, Unusable
from axhub.toolkit.inspecting.provided import Provided, provided_by
from axhub.toolkit.inspecting.raising import always_raised, is_tried
from axhub.toolkit.ports import HttpClient, MciClient, RepeatStore
from axhub.toolkit.published.tool import FoundTool
from axhub.toolkit.published.written import place_in
from axhub.toolkit.service.wiring import Wiring, WiringError

__all__ = ["unwired"]

_NOTHING: Final = "wiring-nothing"


def unwired(tools: tuple[FoundTool, ...], folder: Path, package: str, root: Path) -> Iterator[Unusable]:
    """Yield what cannot be given to a tool, where the source of the package says all that is provided.

    Args:
        tools: to be wired.
        folder: of the package.
        package: its name.
        root: what places are relative to.
    """
    provided = provided_by(folder, package)
    if provided.is_open:
        return
    for tool in tools:
        try:
            _Looking(package, provided).bind(tool)
        except WiringError as error:
            if error.found is not None:
                place = _place(error.maker, root) or tool.place
                yield Unusable(error.found.kind, place, error.found.values, tool.name)
        except Exception:  # noqa: BLE001, S112 - a class may do anything when it is asked what it is; the start says it
            continue


class _Looking(Wiring):
    """Goes the ways of a start; where that makes something, here something stands for it."""

    def __init__(self, package: str, provided: Provided) -> None:
        ports: Mapping[Any, Callable[[], Any]] = {HttpClient: object, MciClient: object, RepeatStore: object}
        super().__init__(package, provided.types or provided.instances, ports)
        self._loose = bool(provided.instances)
        self._own = package
        self._real: dict[int, Any] = {}
        """What was made, and is no stand-in."""

    def made_by(self, maker: Callable[..., Any], given: Mapping[str, Any]) -> Any:
        """Make nothing, or what does nothing by being made; see `raising`."""
        raised = always_raised(maker)
        if raised is not None:
            raise WiringError.raised_in(maker, raised)
        if any(id(one) not in self._real for one in given.values()) or not is_tried(maker, self._own):
            return object()
        made = super().made_by(maker, given)
        self._real[id(made)] = made
        return made

    def _make(self, wanted: Any, wants: str) -> Any:
        try:
            return super()._make(wanted, wants)
        except WiringError as error:
            # A stand-in lacks the attributes that only its constructor gives it, and may fit a protocol all the same.
            is_asked = error.found is not None and error.found.kind == _NOTHING and error.maker is None
            if is_asked and self._loose and getattr(wanted, "_is_protocol", False):
                return object()
            raise


def _place(maker: Any, root: Path) -> Place | None:
    """Return where a class or function takes its parameters."""
    target = maker.__init__ if inspect.isclass(maker) else maker
    code = getattr(inspect.unwrap(target), "__code__", None) if target is not None else None
    return None if code is None else place_in(code.co_filename, root, code.co_firstlineno)
