"""Where a service is told to listen, which whoever serves it may ask before anything of it starts (toolkit/H1)."""

from pathlib import Path

import pytest

from axhub.toolkit import EmployeeCipher, ToolService
from axhub.toolkit.config.settings import ServerSettings, ServiceSettings
from axhub.toolkit.service.options import StartError
from axhub.toolkit.testing import FakeCipher
from support.desk_tools.biz.desk.usecase import Ledger

pytestmark = pytest.mark.req("toolkit/H1", "toolkit/S0")
API = (
    "mcp: {bundleId: desk}\n"
    "glow:\n  communication:\n    http:\n      api-list:\n"
    "        - {name: claim, domain: 'http://localhost:${server.port}', url: /api/mock/http/claim, method: POST}\n"
)


def _service(folder: Path, text: str) -> ToolService:
    (folder / "service.yaml").write_text(text, encoding="utf-8")
    provided = {EmployeeCipher: FakeCipher(), Ledger: Ledger()}
    app = ToolService("support.desk_tools", provide=provided, profile="local", config=folder / "service.yaml")
    app.configure(environ={})
    return app


@pytest.mark.parametrize(
    ("text", "host", "port", "address"),
    [
        (API, None, None, ("127.0.0.1", 8081)),
        (f"server: {{host: localhost, port: 9001}}\n{API}", None, None, ("localhost", 9001)),
        (f"server: {{host: localhost, port: 9001}}\n{API}", None, 0, ("localhost", 0)),
        (f"server: {{port: 0}}\n{API}", None, None, ("127.0.0.1", 0)),
        (f"server: {{port: 0}}\n{API}", "::1", 9002, ("::1", 9002)),
        ("mcp: {}\nserver: {port: 9004}\n", None, None, ("127.0.0.1", 9004)),
        ("server: {port: many}\n", None, None, None),
        ("mcp: [\n", None, None, None),
    ],
)
def test_the_address_is_known_whatever_else_is_wrong(
    text: str, host: str | None, port: int | None, address: tuple[str, int] | None, tmp_path: Path
) -> None:
    app = _service(tmp_path, text)
    app.configure(host=host, port=port)
    assert app.address() == address


def test_a_variable_of_the_environment_says_it_too(tmp_path: Path) -> None:
    app = _service(tmp_path, API)
    app.configure(environ={"AXHUB_SERVICE__SERVER__PORT": "9003"})
    assert app.address() == ("127.0.0.1", 9003)


def test_settings_that_are_given_say_it_themselves() -> None:
    app = ToolService("support.desk_tools")
    app.configure(settings=ServiceSettings(bundle_id="desk", server=ServerSettings(port=0)))
    assert app.address() == ("127.0.0.1", 0)


def test_a_package_that_there_is_not_is_told() -> None:
    with pytest.raises(StartError, match="no_such_tools"):
        ToolService("no_such_tools").address()


def test_a_reference_to_the_port_is_the_one_that_was_had(tmp_path: Path) -> None:
    app = _service(tmp_path, f"server: {{port: 0}}\n{API}")
    assert app.address() == ("127.0.0.1", 0)
    app.configure(port=9005)
    settings = app.prepare().settings
    assert (settings.server.port, settings.apis[0].domain) == (9005, "http://localhost:9005")
