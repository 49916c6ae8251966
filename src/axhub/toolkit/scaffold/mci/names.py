"""The names that come from an MCI interface and its system, or why they cannot be used."""

import re
from dataclasses import dataclass
from keyword import iskeyword
from typing import Final

from axhub.toolkit.layout import INFRASTRUCTURE, MCI
from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.names import UnusableNameError

__all__ = ["MciNames", "mci_names"]

_INTERFACE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{2,31}")
_SYSTEM: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class MciNames:
    """The names of one interface of a system."""

    interface: str
    """`CLCNNB00001`: the layouts are CLCNNB00001_I and CLCNNB00001_O."""
    module: str
    """`clcnnb00001`."""
    system: str
    """`cfpa`: its folder, and its name in the configuration."""
    client: str
    """`CfpaClient`."""
    environment: str
    """`CFPA` in names of environment variables."""

    @property
    def folder(self) -> str:
        """The system's folder, from the package's."""
        return f"{INFRASTRUCTURE}/{MCI}/{self.system}"


def mci_names(interface: str, system: str) -> MciNames:
    """Return the names of an interface.

    Raises:
        UnusableNameError: no class or module can be called so.
    """
    if not _INTERFACE.fullmatch(interface) or iskeyword(interface.lower()):
        raise UnusableNameError(
            Text(
                f"The interface id {interface!r} cannot be used. Write 3 to 32 characters A-Z, 0-9 and _, the first a "
                "letter, such as CLCNNB00001.",
                f"인터페이스 ID {interface!r}은(는) 쓸 수 없습니다. 영문자로 시작하고 영문자, 숫자, _만으로 된 "
                "3~32자로 쓰십시오. 예: CLCNNB00001.",
            )
        )
    if not _SYSTEM.fullmatch(system) or iskeyword(system):
        raise UnusableNameError(
            Text(
                f"The system name {system!r} cannot be used. Write at most 40 characters a-z, 0-9 and _, the first a "
                "letter, such as cfpa.",
                f"시스템 이름 {system!r}은(는) 쓸 수 없습니다. 영문 소문자로 시작하고 a-z, 0-9, _만으로 된 40자 이내의 "
                "이름을 쓰십시오. 예: cfpa.",
            )
        )
    client = "".join(part.capitalize() for part in system.split("_"))
    return MciNames(interface, interface.lower(), system, f"{client}Client", system.upper())
