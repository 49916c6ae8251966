"""A service without findings that needs no other system, to be released and changed by tests as an author would."""

from pathlib import Path
from typing import Final

from support.service_projects import write_files

TOOL: Final = "smp_length_convert"
USECASE: Final = "src/length_tools/biz/smp/usecase.py"
DTO: Final = "src/length_tools/biz/smp/dto.py"
DEFINITION: Final = f"src/length_tools/tool_definitions/smp/{TOOL}.yml"
CONFIG: Final = "src/length_tools/config/service.yaml"
FIELD: Final = '    metres: Annotated[float, Desc("The length in metres", ge=0)]\n'

_FILES: Final = {
    "pyproject.toml": '[project]\nname = "length-tools"\nversion = "1.0.0"\n\n[tool.axhub]\n',
    "src/length_tools/__init__.py": "",
    "src/length_tools/biz/__init__.py": "",
    "src/length_tools/biz/smp/__init__.py": "",
    CONFIG: "mcp:\n  bundleId: length-tools\n",
    DTO: f"""\
from typing import Annotated

from axhub.toolkit import Desc, Input, Output


class LengthRequest(Input):
{FIELD}

class LengthResponse(Output):
    feet: Annotated[float, Desc("The same length in feet")]
""",
    USECASE: f"""\
from axhub.toolkit import tool

from length_tools.biz.smp.dto import LengthRequest, LengthResponse


@tool(
    name="{TOOL}",
    title="Length in feet",
    description="Converts metres into feet.",
    category_key="smp",
    mapping_id="NONE",
)
async def convert(request: LengthRequest) -> LengthResponse:
    return LengthResponse(feet=request.metres / 0.3048)
""",
    DEFINITION: f"""\
name: {TOOL}
display_name: Length in feet
version: 1.0.0
category_key: smp
description:
  function: Converts a length in metres into feet.
  when_to_use: Use it when somebody asks how long something is in feet.
  when_not_to_use: Do not use it for areas or weights.
  io_limits: Lengths of zero and more.
display_description: Converts metres into feet.
example_queries:
  - How many feet are three metres?
  - What is a height of 1.80 m in feet?
  - Give me the length of this table in feet
read_only: true
destructive: false
idempotent: true
parameters_schema:   # written by axhub sync
  type: object
  properties:
    metres:
      type: number   # metric
      description: The length in metres
      minimum: 0
  required: [metres]
  additionalProperties: false
tags: [length]
legacy_interface_id: NONE
required_env_keys: []
owner_org: TOOLS
signoff: [texts, schema, answer, privacy]
""",
}


def length_service(folder: Path) -> Path:
    """Write the service and return its folder."""
    return write_files(folder / "length-tools", _FILES)


def change(root: Path, file: str, old: str, new: str) -> None:
    """Replace a text that stands once in a file of it."""
    path = root / file
    text = path.read_bytes().decode()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    path.write_bytes(text.replace(old, new).encode())
