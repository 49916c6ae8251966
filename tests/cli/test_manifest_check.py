"""`axhub manifest check`."""

import io
import json
import socket
import sys
from pathlib import Path

import pytest

from axhub.cli.manifest_check import exit_code
from axhub.cli.manifest_check_reports import judge
from axhub.contract.manifest import ManifestPolicy
from axhub.gateway.ports import Pulled, PullFailure
from support.check_cli import run, run_beside
from support.manifests import manifest, tool
from support.tool_service import ToolService, reply

Output = pytest.CaptureFixture[str]


def _file(folder: Path, body: bytes) -> str:
    path = folder / "매니페스트.json"
    path.write_bytes(body)
    return str(path)


@pytest.mark.req("gateway/C4")
def test_a_good_manifest_is_accepted_whatever_its_bundle_and_prefix(tmp_path: Path, capsys: Output) -> None:
    path = _file(tmp_path, manifest("어떤 서비스", ["any.prefix/find", "b"], revision="r1"))
    assert run("manifest", "check", path) == 0
    assert capsys.readouterr().out == f"{path}: accepted, 2 tools, revision r1\n"


@pytest.mark.req("gateway/C4", "decision/D1")
def test_absolute_endpoints_are_listed_with_the_line_that_allows_them(tmp_path: Path, capsys: Output) -> None:
    tools = [
        tool("one", endpoint="http://one:1/a"),
        tool("two", endpoint=None, meta={"endpoint": "https://two/b"}),
        tool("three"),
        tool("both", endpoint="/c", meta={"endpoint": "http://never:3/d"}),
    ]
    path = _file(tmp_path, manifest("x", tools))
    assert run("manifest", "check", path) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "absolute endpoints, called only at origins that the gateway's configuration declares (or the bundle's own):",
        "  one  http://one:1/a",
        "  two  https://two:443/b",
        'to declare them, add to the bundle: allowedEndpointOrigins: ["http://one:1", "https://two:443"]',
    ]


@pytest.mark.req("gateway/C4")
def test_every_finding_is_printed_with_tool_pointer_rule_and_mend(tmp_path: Path, capsys: Output) -> None:
    tools = [tool("bad name", endpoint="//evil"), tool("b", endpoint="ftp://x/y")]
    path = _file(tmp_path, manifest("x", tools))
    assert run("manifest", "check", path) == 1
    output = capsys.readouterr().out
    assert "rejected, 3 findings" in output
    for part in ("/tools/0/name  rule ", "/tools/0/endpoint  rule ", "/tools/1/endpoint  rule ", "mend: "):
        assert part in output


@pytest.mark.req("gateway/C4")
def test_findings_come_as_json_too(tmp_path: Path, capsys: Output) -> None:
    path = _file(tmp_path, manifest("x", [tool("bad name", endpoint="/x"), tool("b", endpoint="http://one:1/a")]))
    assert run("manifest", "check", path, "--json") == 1
    document = json.loads(capsys.readouterr().out)
    (finding,) = document["findings"]
    assert (document["ok"], document["status"], document["name"]) == (False, "rejected", path)
    assert (finding["tool"], finding["pointer"]) == ("bad name", "/tools/0/name")
    assert set(finding) == {"tool", "pointer", "rule", "problem", "mend"}
    assert document["absoluteEndpoints"] == []


@pytest.mark.req("gateway/C4", "decision/D1")
def test_absolute_endpoints_come_as_json_as_a_gateway_would_read_them(tmp_path: Path, capsys: Output) -> None:
    tools = [tool("b", endpoint="HTTP://One:1/a"), tool("a", endpoint="/x", meta={"endpoint": "http://never:3/d"})]
    assert run("manifest", "check", _file(tmp_path, manifest("x", tools)), "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["absoluteEndpoints"] == [{"tool": "b", "url": "http://one:1/a"}]


@pytest.mark.req("gateway/C4")
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"bundleId":"x"}', b'{"bundleId":"x","tools":[1]}'])
def test_what_is_no_manifest_is_a_finding(tmp_path: Path, capsys: Output, body: bytes) -> None:
    assert run("manifest", "check", _file(tmp_path, body)) == 1
    assert "rejected, " in capsys.readouterr().out


@pytest.mark.req("gateway/C4")
def test_a_dash_reads_standard_input(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(manifest("x", ["a"]))))
    assert run("manifest", "check", "-") == 0
    assert capsys.readouterr().out == "-: accepted, 1 tool\n"


@pytest.mark.req("gateway/C4")
@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("없다.json", "없다.json: there is no such file"),
        ("/", "/: it is a folder"),
        ("ftp://x/m", "ftp://x/m cannot be fetched: its scheme 'ftp' is not http or https"),
        ("http://", "http:// cannot be fetched: it has no host"),
    ],
)
def test_a_source_that_cannot_be_used_is_exit_2(source: str, problem: str, capsys: Output) -> None:
    assert run("manifest", "check", source) == 2
    assert capsys.readouterr().err == f"axhub manifest check: {problem}\n"


@pytest.mark.req("gateway/C4")
def test_a_manifest_over_the_usual_bound_is_refused(tmp_path: Path, capsys: Output) -> None:
    path = _file(tmp_path, manifest("x", ["a"]) + b" " * 1_048_576)
    assert run("manifest", "check", path) == 1
    assert capsys.readouterr().out == f"{path}: not pulled, TooLarge: more than 1048576 bytes\n"


@pytest.mark.req("gateway/C4")
async def test_a_url_is_fetched_as_a_gateway_would(capsys: Output) -> None:
    async with ToolService() as service:
        service.on("/m", reply(body=manifest("x", ["a"])))
        service.on("/html", reply(body=b"<p>", content_type=b"text/html"))
        url = f"http://127.0.0.1:{service.port}"
        assert await run_beside("manifest", "check", f"{url}/m") == 0
        assert await run_beside("manifest", "check", f"{url}/html") == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{url}/m: accepted, 1 tool"
    assert second.startswith(f"{url}/html: not pulled, ContentType: ")


@pytest.mark.req("gateway/C4")
@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["text", "json"])
def test_a_url_where_nobody_answers_is_exit_2_like_a_missing_file(as_json: tuple[str, ...], capsys: Output) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}/m"
    assert run("manifest", "check", url, *as_json) == 2
    shown = capsys.readouterr().out
    if as_json:
        document = json.loads(shown)
        assert (document["ok"], document["failure"]) == (False, "ConnectFailed")
    else:
        assert shown.startswith(f"{url}: not pulled, ConnectFailed")


@pytest.mark.req("gateway/C4")
@pytest.mark.parametrize("failure", PullFailure)
def test_only_where_nobody_answers_is_there_nothing_to_judge(failure: PullFailure) -> None:
    nobody = failure in {PullFailure.CONNECT_FAILED, PullFailure.TIMED_OUT}
    assert exit_code(judge("x", Pulled(failure=failure), ManifestPolicy(None))) == (2 if nobody else 1)


@pytest.mark.req("gateway/C4")
def test_names_from_a_manifest_cannot_steer_the_terminal(tmp_path: Path, capsys: Output) -> None:
    path = _file(tmp_path, manifest("x", [tool("a\x1b[31m\u202eb", endpoint="http://x\x1b/")]))
    assert run("manifest", "check", path) == 1
    assert "\x1b" not in capsys.readouterr().out
