"""Whatever stands in file and environment: settings, or the one message; never another exception."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from axhub.gateway.config import ConfigError, load
from axhub.gateway.config.flags import Flags
from axhub.gateway.config.keys import KEYS, TABLE
from support.configs import write

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["${A}", "${A:1}", "${", "*", "http://x:1/a", "file:x", "1e400", "-0", "보험", "a.b.", "9" * 5000]),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)
NAMES = sorted({part.removesuffix("[]") for key in KEYS for part in key.path.split(".")})
SECTIONS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6)
NESTED = st.fixed_dictionaries({"bundles": st.lists(SECTIONS, max_size=3), "discovery": SECTIONS})
DOCUMENTS = st.fixed_dictionaries({"mcp": SECTIONS | NESTED})
VARIABLES = st.dictionaries(
    st.sampled_from([TABLE.variable(key.path.replace("[]", "[0]")) for key in KEYS]) | st.just("A"),
    st.text(st.characters(exclude_characters="\0"), max_size=12),
    max_size=3,
)


def _load(data: bytes, environ: dict[str, str]) -> ConfigError | None:
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), data)
        try:
            load(path, environ, Flags(profile="local"))
        except ConfigError as error:
            return error
    return None


@pytest.mark.req("gateway/C1", "threat/T32")
@settings(max_examples=200)
@given(DOCUMENTS, VARIABLES)
def test_any_document_gives_settings_or_the_message(document: Any, environ: dict[str, str]) -> None:
    error = _load(yaml.safe_dump(document, allow_unicode=True).encode("utf-8", "replace"), environ)
    if error is not None:
        assert all(line.isprintable() for line in str(error).splitlines())


@pytest.mark.req("gateway/C1")
@settings(max_examples=200)
@given(st.binary(max_size=60) | st.text(":{}[]&*!|>-'\"#% \n\tabc", max_size=40).map(str.encode))
def test_any_bytes_give_the_message(data: bytes) -> None:
    error = _load(b"mcp:\n  x: " + data, {})
    assert error is not None
    assert error.faults
