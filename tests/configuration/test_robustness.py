"""Whatever stands in file and environment: a document and faults that can be shown; never an exception."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.configuration.document import variables
from axhub.configuration.values import is_variable_name
from support.tables import KEYS, WITH_VARIABLES, flat_of, read

NAMES = sorted({part.removesuffix("[]") for key in KEYS for part in key.path.split(".")} | {"a.b", "a-b", "a b", "[0]"})
REFERENCES = ["${A}", "${A:${B:1}}", "${", "${server.port}", "${server.host:x}", "${server.public}", "${mcp.bundleId}"]
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(REFERENCES)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
)
DOCUMENTS = st.dictionaries(st.sampled_from(["mcp", "server", "tools", "glow"]), VALUES, max_size=4)
PARTS = st.sampled_from([*(name.upper().replace("-", "_") for name in NAMES), "0", "1", "", "A_B"])
VARIABLES = st.dictionaries(
    st.lists(PARTS, max_size=6).map(lambda parts: "AXHUB_SERVICE__" + "__".join(parts)),
    st.sampled_from(["1", "x", "", "${A}", "${server.port}", "\x07"]),
    max_size=4,
)


@pytest.mark.req("toolkit/S0", "threat/T32")
@settings(max_examples=300)
@given(DOCUMENTS, VARIABLES)
def test_any_document_is_read_or_its_faults_are_said(document: object, environ: dict[str, str]) -> None:
    text = yaml.safe_dump(document, allow_unicode=True)
    done, faults = read(text, environ, WITH_VARIABLES)
    assert [line for fault in faults for line in str(fault).splitlines() if not line.isprintable()] == []
    assert [path for path in done.given if path in done.faulty] == []
    assert [variable for variable in variables(flat_of(text)) if not is_variable_name(variable.name)] == []


@pytest.mark.req("toolkit/S0", "threat/T32")
def test_what_the_test_above_looks_at_is_there_to_be_looked_at() -> None:
    text = yaml.safe_dump({"mcp": {"bundleId": "${A}", "\x07": 1}, "server": {"port": "\x1b[2J"}})
    done, faults = read(text, {"AXHUB_SERVICE__SERVER__HOST": "\x07", "A": "x"}, WITH_VARIABLES)
    lines = [line for fault in faults for line in str(fault).splitlines()]
    assert len(faults) >= 2
    assert [line for line in lines if not line.isprintable()] == []
    assert list(done.given) == ["mcp.bundleId"]
    assert [variable.name for variable in variables(flat_of(text))] == ["A"]
