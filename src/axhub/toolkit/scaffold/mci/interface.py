"""The files of an MCI interface's layouts (toolkit/B1, toolkit/T5)."""

from typing import Final

from axhub.toolkit.check.project import ToolProject
from axhub.toolkit.layout import INFRASTRUCTURE, MCI
from axhub.toolkit.rules.model import Text
from axhub.toolkit.scaffold.files import Planned
from axhub.toolkit.scaffold.mci.names import MciNames
from axhub.toolkit.scaffold.rendering import render
from axhub.toolkit.scaffold.tool import InTheWayError

__all__ = ["interface_files", "layout_path"]

_SHARED: Final = True


def interface_files(project: ToolProject, names: MciNames, text: str) -> tuple[Planned, ...]:
    """Return the module of the layouts, which comes first, and the packages around it.

    Raises:
        InTheWayError: a module has the name of a folder that is needed, and would be hidden by it.
    """
    folder = project.facts.folder
    values = {"system": names.system}
    around = {
        f"{folder}/{INFRASTRUCTURE}/{MCI}": "mci.py",
        f"{folder}/{names.folder}": "system_package.py",
        f"{folder}/{names.folder}/io": "io_package.py",
    }
    hidden = [f"{place}.py" for place in around if (project.root / f"{place}.py").exists()]
    if hidden:
        listed = ", ".join(hidden)
        raise InTheWayError(
            Text(
                f"Nothing was made: {listed} would be hidden by a folder of the same name. Move what is in it into "
                "that folder.",
                f"{listed} 파일과 이름이 같은 폴더가 필요하여 아무것도 만들지 않았습니다. 파일의 내용을 그 폴더 안으로 "
                "옮기십시오.",
            )
        )
    packages = (
        Planned(f"{place}/__init__.py", render(f"mci/{name}", values), _SHARED) for place, name in around.items()
    )
    return (Planned(layout_path(project, names), text), *packages)


def layout_path(project: ToolProject, names: MciNames) -> str:
    """Return where the layouts of an interface stand, from the project."""
    return f"{project.facts.folder}/{names.folder}/io/{names.module}.py"
