"""What a module is, by the folder it stands in (toolkit/T4)."""

from typing import Final

from axhub.toolkit import layout
from axhub.toolkit.facts.service import Layer

__all__ = ["layer_of"]

_BUSINESS: Final = {"dto": Layer.DTO, "converter": Layer.CONVERTER, "usecase": Layer.USECASE}


def layer_of(parts: tuple[str, ...]) -> tuple[Layer, str]:
    """Return a module's layer and its category, api or system.

    Args:
        parts: its dotted name below the package: `("biz", "cmm", "dto", "claim")`.
    """
    match parts:
        case (layout.BUSINESS, category, *rest):
            return next((_BUSINESS[part] for part in rest if part in _BUSINESS), Layer.OTHER), category
        case (layout.INFRASTRUCTURE, layout.MCI, name, "envelope", *_):
            return Layer.ENVELOPE, name
        case (layout.INFRASTRUCTURE, layout.HTTP | layout.MCI, name, *rest):
            return (Layer.IO if rest and rest[0] == "io" else Layer.CLIENT), name
        case _:
            return Layer.OTHER, ""
