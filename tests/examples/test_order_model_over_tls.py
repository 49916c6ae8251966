"""The order service asks a model that has a certificate of a company's own authority (agent/A10)."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from axhub.agent.config.model import Framework
from order_service.config import LOCAL, ConfigError, read_settings
from order_service.main import build
from support import order_shop
from support.asgi_server import on_loopback
from support.loopback_only import loopback_only
from support.model_server import Text, Wire
from support.order_shop import Shop
from support.private_authority import answering_over_tls, authority
from support.talks import WIRES

pytestmark = [pytest.mark.req("agent/A10"), pytest.mark.loud_event_loop]


@pytest.fixture(scope="module")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """Asyncio's own loop: what watches the sockets knows no other."""
    return "asyncio", {"use_uvloop": False}


@pytest.fixture(autouse=True)
def _nowhere_else() -> Iterator[None]:
    with loopback_only() as refused:
        yield
    assert refused == []


@asynccontextmanager
async def served(folder: Path, origin: str, wire: Wire, framework: Framework, ca_file: str) -> AsyncIterator[Shop]:
    environ = {
        "ORDER_SERVICE_DATABASE_URL": f"sqlite:///{folder / 'orders.sqlite3'}",
        "ORDER_SERVICE_MODEL": f"{wire.provider}:some-model",
        "ORDER_SERVICE_MODEL_FRAMEWORK": framework.value,
        "ORDER_SERVICE_MODEL_BASE_URL": f"{origin}/v1" if wire.provider == "openai" else origin,
        "ORDER_SERVICE_MODEL_CA_FILE": ca_file,
    }
    service = build(read_settings(environ, LOCAL))
    async with on_loopback(order_shop._app(service, {})) as port:
        yield Shop(port, service)


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.provider)
@pytest.mark.parametrize("framework", list(Framework))
async def test_an_authority_that_is_named_is_believed_and_no_other(
    tmp_path: Path, framework: Framework, wire: Wire
) -> None:
    believed, pem = authority(tmp_path)
    asked: list[bytes] = []

    def answer(body: bytes) -> bytes:
        asked.append(body)
        return b"".join(wire.events(Text("안녕하세요.")))

    async with answering_over_tls(pem, answer) as origin:
        async with served(tmp_path, origin, wire, framework, str(believed)) as shop:
            said = (await shop.chat("안녕하세요")).json
        assert (said["status"], said["content"], len(asked)) == ("answered", "안녕하세요.", 1)
        async with served(tmp_path, origin, wire, framework, "") as shop:
            refused = (await shop.chat("안녕하세요")).json
        assert (refused["status"], refused["reason"], len(asked)) == ("stopped", "model_unavailable", 1)


def test_a_file_that_holds_no_certificate_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate", encoding="utf-8")
    environ = {
        "ORDER_SERVICE_MODEL": "openai:a",
        "ORDER_SERVICE_MODEL_BASE_URL": "https://127.0.0.1:1/v1",
        "ORDER_SERVICE_MODEL_CA_FILE": str(tmp_path / "ca.pem"),
    }
    with pytest.raises(ConfigError) as told:
        build(read_settings(environ, LOCAL))
    assert "ORDER_SERVICE_MODEL_CA_FILE" in str(told.value)
    for language in ("en", "ko"):
        assert str(tmp_path / "ca.pem") in told.value.said(language)
