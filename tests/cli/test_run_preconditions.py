"""What `axhub run` asks for before it starts anything."""

import socket
from pathlib import Path

import pytest

from axhub.cli.run_preconditions import Ports, StartError, check_free, check_libraries, find_root, read_ports
from support.ports import free_ports

CLONE = Path(__file__).resolve().parents[2]


def test_a_clone_is_found_where_the_sample_and_its_configuration_are(tmp_path: Path) -> None:
    assert find_root((tmp_path, CLONE)) == CLONE


def test_outside_a_clone_what_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "gateway.yaml").touch()
    with pytest.raises(StartError) as caught:
        find_root((tmp_path,))
    assert str(caught.value) == (
        "examples/insurance_tools/src/insurance_tools/app.py and examples/order_service/src/order_service/main.py "
        f"not found in {tmp_path}: the samples come with a clone of the project, not with the package. "
        "Run them in a clone, or serve your own Tool Services with `axhub gateway --config FILE`."
    )


def test_ports_come_from_the_environment_and_go_on_to_the_programs() -> None:
    ports = read_ports({"AXHUB_PORT": "18080", "AXHUB_TOOLS_PORT": ""})
    assert ports == Ports(mcp=18080, management=9090, tools=8081, orders=8082)
    assert ports.environment() == {
        "AXHUB_PORT": "18080",
        "AXHUB_MANAGEMENT_PORT": "9090",
        "AXHUB_TOOLS_PORT": "8081",
        "AXHUB_ORDERS_PORT": "8082",
    }


@pytest.mark.parametrize("value", ["0", "65536", "-1", "80 ", "\uff18\uff10", "http", "1e3", "9" * 5000])
def test_a_value_that_is_no_port_is_named_with_its_variable(value: str) -> None:
    with pytest.raises(StartError) as caught:
        read_ports({"AXHUB_PORT": value, "AXHUB_TOOLS_PORT": "x"})
    assert str(caught.value) == (
        f"AXHUB_PORT={value} is not a port (a number from 1 to 65535); "
        "AXHUB_TOOLS_PORT=x is not a port (a number from 1 to 65535)"
    )


def test_two_equal_ports_are_refused() -> None:
    with pytest.raises(StartError) as caught:
        read_ports({"AXHUB_PORT": "9090"})
    assert str(caught.value) == (
        "the ports must differ: AXHUB_PORT=9090, AXHUB_MANAGEMENT_PORT=9090, AXHUB_TOOLS_PORT=8081, "
        "AXHUB_ORDERS_PORT=8082"
    )


def test_every_taken_port_is_named_with_the_variable_that_moves_it() -> None:
    unused, other = free_ports(2)
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        first, second = one.getsockname()[1], two.getsockname()[1]
        with pytest.raises(StartError) as caught:
            check_free(Ports(mcp=first, management=unused, tools=other, orders=second))
    mcp, orders = str(caught.value).split("; ")
    assert mcp.startswith(f"port {first} is taken: set AXHUB_PORT to a free one, for example AXHUB_PORT=")
    assert orders.startswith(
        f"port {second} is taken: set AXHUB_ORDERS_PORT to a free one, for example AXHUB_ORDERS_PORT="
    )
    check_free(Ports(first, unused, other, second))


def test_missing_libraries_are_named_with_the_command_that_brings_them() -> None:
    check_libraries()
    with pytest.raises(StartError) as caught:
        check_libraries(("no_such_a", "mcp", "no_such_b"))
    assert str(caught.value) == (
        "no_such_a and no_such_b not installed; this brings it: pip install 'axhub[client,toolkit,agent]'"
    )
