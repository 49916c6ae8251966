"""Rules about names: where a whole tool is renamed, its definition and samples move along."""

from support.breaks import SAMPLE, Break, Edit

_PACKAGE = "src/insurance_tools"
_USECASE = f"{_PACKAGE}/biz/cmm/usecase/comcode.py"
_DEFINITIONS = f"{_PACKAGE}/tool_definitions/cmm"
_OLD = "cmm_comcode_lookup"
_YAML = f"{_DEFINITIONS}/{_OLD}.yml"
_CONFIG = f"{_PACKAGE}/config/service.yaml"
_OTHER = "../other_tools/src/other_tools"
_OTHER_PROJECT = '[project]\nname = "other-tools"\nversion = "1.0.0"\n\n[tool.axhub]\n'
_OTHER_TOOL = f"""\
from axhub.toolkit import tool


@tool(name="{_OLD}", title="a", description="b")
async def lookup() -> None: ...
"""
_LOCK = "axhub.lock.json"
_CLAIM = f"{_PACKAGE}/biz/cmm/usecase/claim.py"
_SEARCH = "search_claim("
_AGAIN = '@tool(name="cmm_claim_search", title="보험금 청구 상태 조회", description="a.", category_key="cmm")'


def _locked(name: str) -> str:
    """Return a lock with one tool of a name."""
    said = '"version": "1.4.0", "title": "t", "description": "d", "hints": {}, "inputSchema": {}'
    return f'{{"lockVersion": 1, "bundleId": "insurance-tools", "tools": {{\n  "{name}": {{{said}}}}}}}\n'


def _renamed(new: str) -> tuple[Edit, ...]:
    """Return what moves along when the tool of the common codes is renamed in its decorator."""
    text = (SAMPLE / _YAML).read_text(encoding="utf-8").replace(f"name: {_OLD}", f"name: {new}")
    sample = f"{_PACKAGE}/samples/{{}}/http-comcode.json"
    answer = (SAMPLE / sample.format(_OLD)).read_text(encoding="utf-8")
    return (
        Edit(_YAML, None, None),
        Edit(f"{_DEFINITIONS}/{new}.yml", None, text),
        Edit(sample.format(_OLD), None, None),
        Edit(sample.format(new), None, answer),
    )


def _rename(rule: str, new: str, note: str = "", severity: str = "") -> Break:
    quoted = f'"{new}"'
    more = _renamed(new)
    return Break(rule, _USECASE, f'"{_OLD}"', quoted, at=quoted, more=more, note=note, severity=severity)


BREAKS = [
    Break("TK101", _YAML, f"name: {_OLD}", "name: cmm.comcode_lookup", at="cmm.comcode", note="definition"),
    Break("TK101", _YAML, f"name: {_OLD}", "name: 12", at="12", note="number"),
    Break("TK102", _CONFIG, 'namespace: ""', 'namespace: "ins."', at='"ins."', severity="warning"),
    _rename("TK103", "cmm_comcode"),
    _rename("TK104", "cmm_sys_comcode_lookup"),
    _rename("TK105", "cmcdnb00001", "interface"),
    _rename("TK105", "cmm_cmcdnb00001_lookup", "part", "warning"),
    Break("TK106", _LOCK, None, _locked("zzz_policy_search"), at='"zzz_policy_search"', note="gone"),
    Break("TK106", _LOCK, None, _locked("cmm_comcode_lookups"), at=f'"{_OLD}"', at_file=_USECASE, note="renamed"),
    Break(
        "TK106",
        _LOCK,
        None,
        _locked("ins_premium_estimate"),
        at="False",
        at_file=f"{_PACKAGE}/biz/ins/usecase/insurance.py",
        note="draft",
    ),
    Break("TK106", _LOCK, None, "{", at="{", note="broken"),
    Break(
        "TK107",
        _CLAIM,
        f"        self._register = register\n\n    async def {_SEARCH}",
        f"        self._register = register\n\n    {_AGAIN}\n    async def {_SEARCH}",
        at='"cmm_claim_search"',
        note="implementation",
    ),
    Break(
        "TK107",
        "pyproject.toml",
        "owners = [",
        'workspace = ["../other_tools"]\nowners = [',
        at=f'"{_OLD}"',
        at_file=_USECASE,
        more=(
            Edit("../other_tools/pyproject.toml", None, _OTHER_PROJECT),
            Edit(f"{_OTHER}/__init__.py", None, ""),
            Edit(f"{_OTHER}/usecase.py", None, _OTHER_TOOL),
        ),
    ),
]
