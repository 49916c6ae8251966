"""A service with many tools, made of copies of the sample's two claim tools: what a check of a large service costs."""

import shutil
from pathlib import Path
from typing import Final

from support.breaks import copy_sample

_PACKAGE: Final = Path("src", "insurance_tools")
_MODULES: Final = ("biz/cmm/dto/claim.py", "biz/cmm/converter/claim.py", "biz/cmm/usecase/claim.py")
_CLIENTS: Final = ("claim", "claim_register")
_TOOLS: Final = ("cmm_claim_search", "cmm_claim_register")
_API: Final = """
        - name: {name}
          domain: ${{AXHUB_CLAIM_HTTP_DOMAIN:http://localhost:${{server.port}}}}
          url: /api/mock/http/{tool}
          method: POST
          readTimeoutMillis: 3000
          totalTimeoutMillis: 4000
"""
_MCI: Final = "\n    mci:\n"
"""Begins what stands after the list of APIs."""


def many_tools(folder: Path, pairs: int) -> Path:
    """Return a copy of the sample with `pairs` times two more tools, each with all its files."""
    root = copy_sample(folder)
    package = root / _PACKAGE
    for number in range(1, pairs + 1):
        _copy_pair(package, str(number))
    return root


def _copy_pair(package: Path, number: str) -> None:
    for module in _MODULES:
        _copy(package / module, package / module.replace(".py", f"{number}.py"), number)
    for client in _CLIENTS:
        source, target = package / "infra/http" / client, package / "infra/http" / f"{client}{number}"
        target.mkdir()
        for file in source.glob("*.py"):
            _copy(file, target / file.name, number)
    for tool in _TOOLS:
        renamed = _renamed(tool, number)
        definitions = package / "tool_definitions/cmm"
        _copy(definitions / f"{tool}.yml", definitions / f"{renamed}.yml", number)
        shutil.copytree(package / "samples" / tool, package / "samples" / renamed)
        for sample in (package / "samples" / renamed).iterdir():
            sample.rename(sample.with_name(_renamed_api(sample.name, number)))
    config = package / "config/service.yaml"
    apis, mci, systems = config.read_text(encoding="utf-8").partition(_MCI)
    for client, tool in zip(_CLIENTS, _TOOLS, strict=True):
        apis += _API.format(name=f"{client}{number}", tool=_renamed(tool, number))
    config.write_text(f"{apis}{mci}{systems}", encoding="utf-8")


def _copy(source: Path, target: Path, number: str) -> None:
    text = source.read_text(encoding="utf-8")
    for tool in _TOOLS:
        text = text.replace(tool, _renamed(tool, number))
    for client in sorted(_CLIENTS, key=len, reverse=True):
        text = text.replace(f"http.{client}.", f"http.{client}{number}.")
        text = text.replace(f'"{client}"', f'"{client}{number}"')
    for layer in ("dto", "converter", "usecase"):
        text = text.replace(f"{layer}.claim ", f"{layer}.claim{number} ")
    target.write_text(text, encoding="utf-8")


def _renamed(tool: str, number: str) -> str:
    return tool.replace("claim", f"claim{number}")


def _renamed_api(file: str, number: str) -> str:
    """Return `http-claim7-2.json` for `http-claim-2.json`."""
    for client in sorted(_CLIENTS, key=len, reverse=True):
        if file.startswith(f"http-{client}"):
            return file.replace(client, f"{client}{number}", 1)
    return file
