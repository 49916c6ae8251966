"""Packages of Tool Services that a test writes to a folder of its own and imports."""

import sys
import uuid
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any, Self

import msgspec

HEAD = """
from typing import Annotated, Literal, Protocol
from axhub.toolkit.context import ToolContext
from axhub.toolkit.declare import output_schema, tool, tool_hint
from axhub.toolkit.models import Desc, HttpBody, Input, Output, masked

class Request(Input):
    claim_no: Annotated[str, Desc("Claim number")]

class Response(Output):
    status: Annotated[str, Desc("Status")]
"""
"""Begins modules that declare tools with `Request` and `Response`."""

DEFINITION: Mapping[str, Any] = {
    "name": "cmm_claim_search",
    "display_name": "보험금 청구 상태 조회",
    "version": "1.0.0",
    "category_key": "cmm",
    "description": {
        "function": "청구 상태와 심사 결과를 조회한다.",
        "when_to_use": "기존 청구 건의 진행 상태를 확인할 때 사용한다.",
        "when_not_to_use": "신규 청구 접수에는 사용하지 않는다.",
        "io_limits": "청구번호가 필요하다.",
    },
    "display_description": "보험금 청구 상태를 조회합니다.",
    "example_queries": ["청구가 어디까지 진행됐는지 알려줘", "심사 결과가 나왔는지 봐줘", "최근 청구 상태 확인해줘"],
    "read_only": True,
    "destructive": False,
    "idempotent": True,
    "parameters_schema": {"type": "object", "properties": {}, "additionalProperties": False},
    "tags": ["청구"],
    "legacy_interface_id": "CLCNNB00001",
    "required_env_keys": [],
    "owner_org": "MCP_TOOL",
}
"""A complete definition, after seed 003 §5."""


def definition_text(**changes: Any) -> str:
    """Write `DEFINITION` with changes; JSON is YAML as well."""
    return msgspec.json.format(msgspec.json.encode({**DEFINITION, **changes})).decode()


class ToolPackage:
    """A package below `src/` of a project's folder; its name is its own, so that it can be imported beside others."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.name = f"tools_{uuid.uuid4().hex[:12]}"
        self.folder = root / "src" / self.name
        self.write("__init__.py", "")

    def write(self, path: str, text: str) -> Path:
        """Write a file of the package; `PACKAGE` in it stands for the package's name."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text).replace("PACKAGE", self.name), encoding="utf-8")
        return file

    def declare(self, text: str, path: str = "biz/cmm/usecase.py") -> Path:
        """Write a module that begins with `HEAD`."""
        return self.write(path, HEAD + dedent(text))

    def __enter__(self) -> Self:
        sys.path.insert(0, str(self.root / "src"))
        return self

    def __exit__(self, *_: object) -> None:
        sys.path.remove(str(self.root / "src"))
        for name in [name for name in sys.modules if name.partition(".")[0] == self.name]:
            del sys.modules[name]
