"""What `axhub run` starts the order service with, and what it reads of it (the rest is a flow)."""

from pathlib import Path

import pytest

from axhub.cli import run_orders
from axhub.cli.run_preconditions import StartError


def test_the_caller_s_own_order_service_is_left_alone() -> None:
    environ = {
        "PATH": "/bin",
        "PYTHONPATH": "/mine",
        "ORDER_SERVICE_DATABASE_URL": "postgresql://production/orders",
        "ORDER_SERVICE_MODEL": "openai:gpt-5-mini",
    }
    assert run_orders.environment(Path("/clone"), environ, 8082, "sqlite:////tmp/o.sqlite3") == {
        "PATH": "/bin",
        "PYTHONPATH": "/clone/examples/order_service/src:/mine",
        "ORDER_SERVICE_DATABASE_URL": "sqlite:////tmp/o.sqlite3",
        "ORDER_SERVICE_HOST": "127.0.0.1",
        "ORDER_SERVICE_PORT": "8082",
    }


def test_the_tokens_of_a_customer_and_an_approver_are_read_from_what_it_printed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("minji of hanbit: ey.1\nboram of hanbit, approver: ey.2\nINFO: Started of it: all\n", "utf-8")
    assert run_orders.read_people(log) == ("ey.1", "ey.2")


def test_a_service_that_prints_no_token_is_told(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("minji of hanbit: ey.1\n", "utf-8")
    with pytest.raises(StartError, match=r"^the order service printed no token for minji and boram$"):
        run_orders.read_people(log)
