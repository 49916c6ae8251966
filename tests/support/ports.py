"""Ports that are free at the moment."""

import socket


def free_ports(count: int) -> list[int]:
    """Return that many different ports of this host."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports: list[int] = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
