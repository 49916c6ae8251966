"""`registry.localFile`: the legacy fixture that replaces discovery."""

from pathlib import Path

import pytest

from axhub.configuration.faults import Fault
from axhub.gateway.config.local_file import read_local_manifest
from support.configs import GOOD, LOCAL, faults_of, load_text
from support.manifests import manifest, tool

OFF = "  discovery: {enabled: false}\n  registry: {localFile: file:./도구.json}\n"


def _faults(folder: Path, body: bytes, bundles: str = GOOD, more: str = "") -> list[Fault]:
    (folder / "도구.json").write_bytes(body)
    return faults_of(folder, bundles + OFF + more, flags=LOCAL)


@pytest.mark.req("gateway/C3")
def test_the_file_is_read_as_the_manifest_of_the_declared_bundle(tmp_path: Path) -> None:
    (tmp_path / "도구.json").write_bytes(manifest("insurance-processing", ["a", "b"], revision="r"))
    loaded = load_text(tmp_path, GOOD + OFF, flags=LOCAL)
    assert loaded.local is not None
    assert loaded.local.bundle is loaded.settings.bundles[0]
    assert [(tool.name, str(tool.endpoint)) for tool in loaded.local.manifest.tools] == [
        ("a", "http://tool-processing:8080/tools/a"),
        ("b", "http://tool-processing:8080/tools/b"),
    ]
    assert loaded.settings.registry.local_file == tmp_path / "도구.json"


@pytest.mark.req("gateway/C3")
def test_with_discovery_there_is_no_local_manifest(tmp_path: Path) -> None:
    assert load_text(tmp_path, GOOD).local is None


@pytest.mark.req("gateway/C3")
def test_every_finding_is_a_fault_with_file_pointer_and_mend(tmp_path: Path) -> None:
    body = manifest("insurance-processing", [tool("bad name", endpoint="/x"), tool("b", endpoint="http://elsewhere/x")])
    faults = _faults(tmp_path, body)
    assert [(str(fault.place), fault.key) for fault in faults] == [
        (f"{tmp_path}/도구.json", "/tools/0/name"),
        (f"{tmp_path}/도구.json", "/tools/1/endpoint"),
    ]
    assert "tool bad name, rule " in faults[0].found
    assert all(fault.allowed for fault in faults)


@pytest.mark.req("gateway/C3")
def test_the_prefix_and_the_bounds_of_the_bundle_apply(tmp_path: Path) -> None:
    body = manifest("insurance-processing", ["a_one", "b"])
    (fault,) = _faults(tmp_path, body, GOOD + "      namePrefix: a_\n")
    assert fault.key == "/tools/1/name"


@pytest.mark.req("gateway/C3", "gateway/K1")
def test_more_tools_than_the_catalogue_may_have_are_a_fault(tmp_path: Path) -> None:
    text = GOOD + "  registry: {localFile: file:./도구.json}\n  discovery: {enabled: false, maxToolsTotal: 1}\n"
    (tmp_path / "도구.json").write_bytes(manifest("insurance-processing", ["a", "b"]))
    (fault,) = faults_of(tmp_path, text, flags=LOCAL)
    assert (fault.key, fault.found, fault.allowed) == ("/tools", "2 tools", "at most 1 (maxToolsTotal)")


@pytest.mark.req("gateway/C3")
def test_a_bundle_that_is_not_declared_is_refused(tmp_path: Path) -> None:
    (fault,) = _faults(tmp_path, manifest("다른", ["a"]))
    assert (fault.key, fault.found) == ("/bundleId", '"다른"')
    assert fault.allowed == 'the id of a declared bundle: "insurance-processing"'
    (fault,) = _faults(tmp_path, manifest("다른", ["a"]), "mcp:\n  identity: x\n")
    assert fault.allowed == "the id of a bundle; declare one in mcp.bundles"


@pytest.mark.req("gateway/C3")
def test_faults_of_an_undeclared_bundle_are_all_listed(tmp_path: Path) -> None:
    faults = _faults(tmp_path, manifest("다른", [tool("bad name", endpoint="/x")]))
    assert [fault.key for fault in faults] == ["/bundleId", "/tools/0/name"]


@pytest.mark.req("gateway/C3")
@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe", b'{"tools":[]}', b'{"bundleId":5,"tools":[]}'])
def test_what_is_no_manifest_is_refused(tmp_path: Path, body: bytes) -> None:
    assert {fault.place.source for fault in _faults(tmp_path, body)} == {f"{tmp_path}/도구.json"}


@pytest.mark.req("gateway/C3")
def test_a_file_over_the_bound_is_refused(tmp_path: Path) -> None:
    body = manifest("insurance-processing", ["a"])
    more = "  maxConnections: 5\n"
    text = GOOD + OFF.replace("false}", f"false, maxManifestBytes: {len(body) - 1}}}")
    (tmp_path / "도구.json").write_bytes(body)
    (fault,) = faults_of(tmp_path, text + more, flags=LOCAL)
    assert fault.found == f"more than {len(body) - 1} bytes"


@pytest.mark.req("gateway/C3")
def test_a_missing_local_file_is_a_fault_of_its_key(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path, GOOD + OFF, flags=LOCAL)
    assert (fault.key, fault.found) == ("mcp.registry.localFile", '"./도구.json": there is no such file')


@pytest.mark.req("gateway/C3")
def test_a_local_file_that_vanishes_meanwhile_is_a_fault_too(tmp_path: Path) -> None:
    settings = load_text(tmp_path, GOOD).settings
    outcome = read_local_manifest(Path("gone.json"), settings)
    assert isinstance(outcome, list)
    assert [str(fault) for fault in outcome] == ["gone.json  found there is no such file; allowed a manifest"]
