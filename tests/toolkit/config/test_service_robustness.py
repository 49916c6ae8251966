"""Whatever stands in a service's configuration, there are settings or faults, and facts (toolkit/S0)."""

from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axhub.configuration.faults import ConfigError
from axhub.toolkit.config.facts import settings_facts
from axhub.toolkit.config.loading import load_service
from axhub.toolkit.config.mocked import Mocked, load_mocked
from axhub.toolkit.config.settings import ServiceSettings
from axhub.toolkit.facts.service import Settings

LINES: Final = """\
mcp:
  bundleId: a
  namespace: ${NS:x_}
disabledTools: [a]
tools:
  "a.b":
    timeoutMillis: 8000
server: {port: ${PORT:1}}
glow:
  communication:
    http:
      api-list:
        - name: a
          domain: ${A:http://localhost:${server.port}}
          url: /a
          method: GET
          maxRetries: ${N}
          headers:
            X-Key: ${KEY}
        - {name: ${B}, domain: [1], url: {a: b}, method: ~, headers: {A: 1}}
    mci:
      system-list:
        - name: c
          host: ${C:localhost}
          port: ${C_PORT:0}
          lengthField: {kind: ascii, size: 8}
""".splitlines()
ODD: Final = st.sampled_from(
    [
        "",
        "[]",
        "{}",
        "~",
        "- ",
        "x",
        "${",
        "${a.b}",
        "${server.port}",
        "!!t",
        "&a",
        "*a",
        "<<: *a",
        "'",
        "1e9",
        "\t",
        "청",
    ]
)
EDITS: Final = st.lists(st.tuples(st.integers(0, len(LINES) - 1), st.integers(0, 60), ODD), max_size=4)


@pytest.mark.req("toolkit/S0")
@given(edits=EDITS, drop=st.sets(st.integers(0, len(LINES) - 1), max_size=3))
def test_an_odd_configuration_is_told_and_never_an_accident(
    edits: list[tuple[int, int, str]], drop: set[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    lines = list(LINES)
    for at, column, odd in edits:
        lines[at] = lines[at][:column] + odd + lines[at][column:]
    file: Path = tmp_path_factory.getbasetemp() / "service.yaml"
    file.write_text("\n".join(line for at, line in enumerate(lines) if at not in drop), encoding="utf-8")
    assert isinstance(settings_facts(file, "service.yaml"), Settings)
    for environ in ({}, {"N": "1", "KEY": "k", "B": "b"}):
        with suppress(ConfigError):
            assert isinstance(load_service(file, environ, "local"), ServiceSettings)
    with suppress(ConfigError):
        assert isinstance(load_mocked(file, {}), Mocked)
