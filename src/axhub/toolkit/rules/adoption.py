"""Whether a gateway adopts what the service publishes: rules TK801 and TK805 (gateway/G6, seed 001 §4-5)."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from axhub.configuration.faults import excerpt
from axhub.contract.endpoints import Endpoint, EndpointPolicy, Origin
from axhub.contract.findings import Finding
from axhub.contract.manifest import ManifestPolicy, Rejected, check_manifest, run
from axhub.contract.text import check_text_field
from axhub.toolkit.facts.holders import find_resource
from axhub.toolkit.facts.service import Declared, Definition, Facts, Place
from axhub.toolkit.rules.model import Breach, Message, Rule, Severity, Stage, Text
from axhub.toolkit.rules.telling.authored import in_both, values_of
from axhub.toolkit.rules.telling.manifest_faults import of_manifest
from axhub.toolkit.rules.telling.setting_faults import BUNDLE_ID, follows_from_a_key, settings_faults

__all__ = ["RULES", "refusals"]

_MAX_TOOLS: Final = 100
_MAX_BYTES: Final = 1_048_576
"""Default limits of a gateway (gateway/G6)."""
_SOMEWHERE: Final = Origin("http", "tools", 8081)
"""A gateway's `serviceDomain`; the manifest has paths only, so any will do."""
_COUNT: Final = "manifest.tools.count"
_DEFINED: Final[Mapping[str, str]] = {
    "name": "/name",
    "title": "/display_name",
    "description": "/description",
    "_meta": "/version",
}
_STEPS: Final = re.compile(r"/(?:properties/([^/]+)|items)")
_CHARACTER: Final = re.compile(r"(U\+[0-9A-F]+) at character ([0-9]+)")
_SCHEMAS: Final = {"inputSchema": "input_schema_resource", "outputSchema": "output_schema_resource"}


# --- TK801 -----------------------------------------------------------------------------------------------------------


def _whole(facts: Facts) -> Iterator[Breach]:
    settings = facts.settings
    if settings is None:
        return
    for fault in settings_faults(settings):
        if fault.key == BUNDLE_ID and not follows_from_a_key(fault, settings):
            variant = "missing" if fault.found.startswith("nothing") else "bundle"
            values = {"file": settings.path, "example": facts.project.package.replace("_", "-")}
            yield Breach(fault.place, variant, {**values, **in_both("found", fault.found_text)})
    tools = {one.name for one in facts.declared if one.name is not None and not facts.is_draft(one.name)}
    if (surplus := len(tools) - _MAX_TOOLS) > 0:
        yield Breach(Place(settings.path, 1, 1), "count", {"count": len(tools), "surplus": surplus})
    if facts.manifest is not None and len(facts.manifest) > _MAX_BYTES:
        yield Breach(Place(settings.path, 1, 1), "size", _sizes(facts.manifest))


def _sizes(manifest: bytes) -> dict[str, str | int]:
    """Return how large a manifest is, and which of its tools are the largest."""
    tools = json.loads(manifest)["tools"]
    sizes = sorted(((len(json.dumps(one, ensure_ascii=False).encode()), one["name"]) for one in tools), reverse=True)
    return {"bytes": len(manifest), "largest": ", ".join(f"{name} {size}" for size, name in sizes[:3])}


_BUNDLE_MEND: Final = Text(
    "Write `bundleId: {example}` below `mcp:` of {file}, with the `id` that the gateway's configuration gives this "
    "service.",
    "{file} 파일의 `mcp:` 아래에 게이트웨이 설정의 `id` 값으로 `bundleId: {example}`처럼 쓰십시오.",
)

TK801: Final = Rule(
    id="TK801",
    severity=Severity.ERROR,
    stage=Stage.SERVICE,
    title=Text(
        "The service names its bundle, and has at most 100 tools in a manifest of at most 1 MiB.",
        "서비스에는 번들 ID가 있고, 도구는 100개, 매니페스트는 1 MiB를 넘지 않아야 합니다.",
    ),
    why=Text(
        "A gateway refuses the whole bundle for one of these, and all its tools are gone. Names that stand twice are "
        "told by TK107, missing texts and versions by TK302 to TK304. Source: seed 001 §4 and §5, gateway/G6.",
        "하나라도 어기면 게이트웨이가 번들 전체를 거부하여 모든 도구가 사라집니다. 중복된 이름은 TK107이, 빠진 글과 "
        "버전은 TK302~TK304가 "
        "알려 줍니다. 출처: 설계 가이드 001 §4, §5, gateway/G6.",
    ),
    messages={
        "missing": Message(
            Text("The key mcp.bundleId is missing.", "설정 mcp.bundleId 값이 없습니다."),
            _BUNDLE_MEND,
        ),
        "bundle": Message(
            Text(
                "The value of mcp.bundleId cannot be used; here stands {found}.",
                "설정 mcp.bundleId 값을 쓸 수 없습니다. 지금 값: {found_ko}.",
            ),
            _BUNDLE_MEND,
        ),
        "count": Message(
            Text(
                "The service has {count} tools, and a gateway takes at most 100 from one bundle.",
                "서비스의 도구는 {count}개인데, 게이트웨이는 번들 하나에서 100개까지만 받습니다.",
            ),
            Text(
                "Move at least {surplus} into a service of its own, or have the gateway's operator raise "
                "maxToolsPerBundle.",
                "{surplus}개 이상을 다른 서비스로 옮기거나, 게이트웨이 운영자에게 maxToolsPerBundle 값을 올려 달라고 "
                "하십시오.",
            ),
        ),
        "size": Message(
            Text(
                "The manifest has {bytes} bytes, and a gateway takes at most 1048576.",
                "매니페스트는 {bytes}바이트인데, 게이트웨이는 1048576바이트까지만 받습니다.",
            ),
            Text(
                "Shorten schemas and descriptions (the largest tools, in bytes: {largest}), or split the service.",
                "스키마와 설명을 줄이거나(가장 큰 도구, 바이트: {largest}) 서비스를 나누십시오.",
            ),
        ),
    },
    check=_whole,
    bad="mcp:\n  namespace: ins_",
    good="mcp:\n  bundleId: insurance-tools\n  namespace: ins_",
    suppressible=False,
)


# --- TK805 -----------------------------------------------------------------------------------------------------------


def _refused(facts: Facts) -> Iterator[Breach]:
    # The engine renders the manifest once no error stands, so nothing here has been said by another rule.
    if facts.manifest is None or facts.settings is None or len(facts.manifest) > _MAX_BYTES:
        return
    for finding in refusals(facts.manifest, facts.settings.bundle_id, facts.settings.namespace):
        yield _breach(facts, finding)


def refusals(manifest: bytes, bundle_id: str, namespace: str) -> list[Finding]:
    """Return why a gateway with default limits would not adopt a manifest; the number of its tools is left to TK801.

    Args:
        manifest: as it would be served.
        bundle_id: of the service.
        namespace: what the names of its tools begin with.
    """
    endpoints = EndpointPolicy(Endpoint(_SOMEWHERE, b"/"), None, frozenset({_SOMEWHERE}), any_origin=False)
    result = run(check_manifest(manifest, ManifestPolicy(bundle_id, namespace, endpoints)))
    return [one for one in result.findings if one.rule != _COUNT] if isinstance(result, Rejected) else []


def _breach(facts: Facts, finding: Finding) -> Breach:
    published = finding.tool or ""
    tool = published.removeprefix(facts.settings.namespace if facts.settings is not None else "")
    character = _CHARACTER.search(finding.problem) if finding.rule == "text.character" else None
    values = {
        "tool": excerpt(published),
        "pointer": finding.pointer,
        **in_both("problem", of_manifest(finding.problem.rstrip("."))),
        **in_both("mend", of_manifest(finding.mend.rstrip("."))),
        "character": character[1] if character is not None else "",
        "at": character[2] if character is not None else "",
    }
    variant = ("tool" if tool else "whole") if character is None else ("character" if tool else "mark")
    return Breach(_place(facts, tool, finding.pointer), variant, values, tool or None)


def _place(facts: Facts, tool: str, pointer: str) -> Place:
    """Return where that was written which a pointer into the manifest leads to."""
    definition, declared = facts.definition_of(tool), facts.declared_as(tool)
    if definition is None or declared is None:
        return Place(facts.settings.path if facts.settings is not None else "", 1, 1)
    _, _, _, member, below = [*pointer.split("/", 4), "", ""][:5]
    if member in _SCHEMAS:
        return _in_schema(facts, declared, member, f"/{below}" if below else "")
    return definition.place(_part(definition) if member == "description" else _DEFINED.get(member, ""))


def _in_schema(facts: Facts, declared: Declared, member: str, below: str) -> Place:
    """Return the place in the resource that is published, else of the field that the model declares."""
    given = declared.arguments.get(_SCHEMAS[member])
    resource = find_resource(facts, given.value) if given is not None else None
    if resource is not None:
        return resource.place(below)
    imported = (facts.imported or {}).get(declared.name or "")
    fields = () if imported is None else imported.inputs if member == "inputSchema" else imported.outputs
    pointer = "".join(f"/{name or '*'}" for name in _STEPS.findall(below))
    return next((field.place for field in fields if field.pointer == pointer), declared.place)


def _part(definition: Definition) -> str:
    """Return the pointer of the part of a description with a character that is refused, else of all of it."""
    parts = values_of(definition.values.get("description"))
    wrong = (name for name, text in parts.items() if isinstance(text, str) and check_text_field(text, multiline=True))
    return next((f"/description/{name}" for name in wrong), "/description")


TK805: Final = Rule(
    id="TK805",
    severity=Severity.ERROR,
    stage=Stage.SERVICE,
    title=Text(
        "A gateway with default limits adopts the manifest.",
        "기본 한도의 게이트웨이가 매니페스트를 받아들여야 합니다.",
    ),
    why=Text(
        "Once no other error stands, the manifest is rendered and given to the very checks of the gateway, so what "
        "passes here is adopted there. That each tool has a relative endpoint of its own (TK802), and that the bytes "
        "are the same everywhere, sorted, with a revision (TK803), is so by construction: the toolkit writes them. "
        "Source: gateway/G6, toolkit/S1.",
        "다른 오류가 없으면 매니페스트를 만들어 게이트웨이의 검사를 그대로 실행하므로, 여기를 통과하면 게이트웨이도 "
        "받아들입니다. 도구마다 상대 경로 endpoint가 있는 것(TK802)과 어디서나 같은 바이트, 정렬, revision(TK803)은 "
        "툴킷이 "
        "만들기 "
        "때문에 늘 지켜집니다. 출처: gateway/G6, toolkit/S1.",
    ),
    messages={
        "character": Message(
            Text(
                "A gateway refuses the tool {tool}: {problem} ({pointer} of the manifest).",
                "게이트웨이가 {tool} 도구를 거부합니다: {at}번째에 허용되지 않는 문자 {character}가 "
                "있습니다(매니페스트 "
                "위치 {pointer}).",
            ),
            Text("Remove the character here.", "여기에서 그 문자를 지우십시오."),
        ),
        "mark": Message(
            Text(
                "A gateway refuses the manifest: {problem} ({pointer}).",
                "게이트웨이가 매니페스트를 거부합니다({pointer}): {at}번째에 허용되지 않는 문자 {character}가 "
                "있습니다.",
            ),
            Text("Remove the character.", "그 문자를 지우십시오."),
        ),
        "tool": Message(
            Text(
                "A gateway refuses the tool {tool}: {problem} ({pointer} of the manifest).",
                "게이트웨이가 {tool} 도구를 거부합니다(매니페스트 위치 {pointer}): {problem_ko}.",
            ),
            Text("Correct what it was made of here: {mend}.", "이 위치의 내용을 고치십시오: {mend_ko}."),
        ),
        "whole": Message(
            Text(
                "A gateway refuses the manifest: {problem} ({pointer}).",
                "게이트웨이가 매니페스트를 거부합니다({pointer}): {problem_ko}.",
            ),
            Text("Correct this: {mend}.", "고치십시오: {mend_ko}."),
        ),
    },
    check=_refused,
    bad='when_to_use: "청구\\u202e 상태를 확인할 때 사용한다."',
    good='when_to_use: "청구 상태를 확인할 때 사용한다."',
    suppressible=False,
)

RULES: Final = (TK801, TK805)
