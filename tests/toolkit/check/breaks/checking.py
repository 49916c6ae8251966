"""Rules about the check itself."""

from support.breaks import Break

_APP = "src/insurance_tools/app.py"
_LINE = 'app = ToolService("insurance_tools", provide={RepeatStore: repeats})'
_OWNERS = "owners = ["

BREAKS = [
    Break("TK003", _APP, _LINE, f"{_LINE}  # axhub: allow TK612", at="# axhub", note="no-reason"),
    Break("TK003", _APP, _LINE, f"{_LINE}  # axhub: ignore TK612 -- no", at="# axhub", note="form"),
    Break("TK004", _APP, _LINE, f"{_LINE}  # axhub: allow TK612 -- it was here", at="# axhub", note="unused"),
    Break("TK004", _APP, _LINE, f"{_LINE}  # axhub: allow TK999 -- it was here", at="# axhub", note="unknown"),
    Break("TK004", _APP, _LINE, f"{_LINE}  # axhub: allow TK003 -- it was here", at="# axhub", note="refused"),
    Break("TK005", "pyproject.toml", _OWNERS, f'workspace = ["../none"]\n{_OWNERS}', at="workspace"),
]
