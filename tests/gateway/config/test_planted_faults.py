"""Any combination of faults gives exactly one message that names each of them."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.gateway.config import ConfigError, load
from axhub.gateway.config.flags import Flags
from support.configs import GOOD, faults_of, write


@dataclass(frozen=True)
class Planted:
    """One fault to plant, and what the message must say of it."""

    key: str
    """The key, variable or flag that the message must name."""
    found: str
    top: str = ""
    """Lines below `mcp`."""
    bundle: str = ""
    """Lines in the bundle."""
    environ: dict[str, str] = field(default_factory=dict)
    flags: dict[str, str] = field(default_factory=dict)


PLANTED = (
    Planted("mcp.registry.refreshIntervalSeconds", "found 0", top="registry: {refreshIntervalSeconds: 0}"),
    Planted("mcp.discovery.readTimeoutMilis", "found an unknown key", top="discovery: {readTimeoutMilis: 5}"),
    Planted("mcp.allowedHosts[1]", 'found "a b"', top="allowedHosts: [x, a b]"),
    Planted("mcp.allowedOrigins", 'found "http://x"', top="allowedOrigins: http://x"),
    Planted("mcp.pageSize", "found 0", top="pageSize: 0"),
    Planted("mcp.redis.url", "not available yet", top="redis: {url: redis://r}"),
    Planted("mcp.maxConnections", "found true", top="maxConnections: true"),
    Planted("mcp.drainSeconds", "${GRACE}, a variable that is not set", top="drainSeconds: ${GRACE}"),
    Planted("mcp.identity", "the key a second time", top="identity: again"),
    Planted("mcp.tls.caFile", "there is no such file", top="tls: {caFile: 없는.pem}"),
    Planted("mcp.toolNotFoundCode", "found a list", top="toolNotFoundCode: [1]"),
    Planted("mcp.지역", "found an unknown key", top="지역: 서울"),
    Planted("mcp.bundles[0].namePrefix", 'found "접두사"', bundle="namePrefix: 접두사"),
    Planted("mcp.bundles[0].protocol", 'found "grpc"', bundle="protocol: grpc"),
    Planted("mcp.bundles[0].addPrefix", "found the YAML tag !yes", bundle="addPrefix: !yes x"),
    Planted("mcp.bundles[0].baseEndpoint", "its scheme 'ftp'", bundle="baseEndpoint: ftp://x/"),
    Planted("mcp.bundles[0].manifestPath", "manifestPath beside manifestUrl", bundle="manifestPath: /m"),
    Planted("mcp.bundles[0].fallbackManifestFile", "there is no such file", bundle="fallbackManifestFile: 없는.json"),
    Planted("mcp.bundles[0].maxQueuedCalls", "found 1.5", bundle="maxQueuedCalls: 1.5"),
    Planted("AXHUB_MCP__IDENTIY", "found an unknown variable", environ={"AXHUB_MCP__IDENTIY": "x"}),
    Planted("mcp.maxRequestBytes", 'found "viel"', environ={"AXHUB_MCP__MAXREQUESTBYTES": "viel"}),
    Planted("mcp.bundles[4].id", "index 4", environ={"AXHUB_MCP__BUNDLES__4__ID": "x"}),
    Planted("--port", 'found "http"', flags={"port": "http"}),
    Planted("--workers", "not available yet", flags={"workers": "4"}),
    Planted("AXHUB_MANAGEMENT_PORT", "found 70000", environ={"AXHUB_MANAGEMENT_PORT": "70000"}),
)


def _planted(folder: Path, faults: tuple[Planted, ...]) -> tuple[Path, dict[str, str], Flags]:
    text = GOOD + "".join(f"      {fault.bundle}\n" for fault in faults if fault.bundle)
    text += "".join(f"  {fault.top}\n" for fault in faults if fault.top)
    environ = {name: value for fault in faults for name, value in fault.environ.items()}
    flags = Flags(**{name: value for fault in faults for name, value in fault.flags.items()}, profile="local")
    return write(folder, text), environ, flags


@pytest.mark.req("gateway/C1", "gateway/C2")
@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault.key)
def test_each_planted_fault_is_found_alone(tmp_path: Path, fault: Planted) -> None:
    path, environ, flags = _planted(tmp_path, (fault,))
    (found,) = faults_of(tmp_path, path.read_bytes(), environ, flags)
    assert fault.found in str(found).replace("\n    ", " ")


@pytest.mark.req("gateway/C1", "gateway/C2")
@settings(max_examples=150)
@given(st.lists(st.sampled_from(PLANTED), min_size=2, max_size=5, unique_by=lambda fault: fault.key))
def test_any_combination_gives_one_message_that_names_each(faults: list[Planted]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, environ, flags = _planted(Path(folder), tuple(faults))
        with pytest.raises(ConfigError) as caught:
            load(path, environ, flags)
    message = str(caught.value)
    assert message.startswith(f"The configuration has {len(faults)} faults:\n")
    said = {(fault.key or str(fault.place)): str(fault).replace("\n    ", " ") for fault in caught.value.faults}
    assert len(said) == len(faults)
    for fault in faults:
        (told,) = [text for key, text in said.items() if key.endswith(fault.key)]
        assert fault.found in told
    assert "Traceback" not in message
    places = [fault.place for fault in caught.value.faults]
    assert places == sorted(places)
