"""More callers than file descriptors: the server neither ends nor spins, and serves again when some are free."""

import asyncio
import contextlib
import socket
import sys

import pytest

from support.wire import PATIENCE_SECONDS, Peer

SERVER = """
import asyncio, resource, sys, uvloop
from axhub.gateway.adapters.clock import SystemClock
from axhub.gateway.adapters.http1.server import Http1Server, ServerLimits
from axhub.gateway.ports import ReplyHead

OK = ReplyHead(200)

async def main():
    server = Http1Server(lambda _, reply: reply(OK, b"{}"), lambda *_: (OK, b""), ServerLimits(), SystemClock())
    await server.start("127.0.0.1", 0)
    print(server.port, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_utime)
    await server.close()

resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
uvloop.run(main())
"""
GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


def connect(port: int) -> Peer:
    sock = socket.create_connection(("127.0.0.1", port))
    sock.setblocking(False)
    return Peer(sock)


async def is_served(peer: Peer) -> bool:
    with contextlib.suppress(ConnectionError):
        await peer.send(GET)
        return (await peer.receive()).startswith(b"HTTP/1.1 200 OK\r\n")
    return False


async def a_new_caller_is_served(port: int) -> bool:
    peer = connect(port)
    try:
        return await is_served(peer)
    finally:
        peer.close()


@pytest.mark.req("fault/F27")
async def test_a_server_without_free_descriptors_turns_callers_away_and_recovers() -> None:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVER, stdin=pipe, stdout=pipe)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        port = int(await process.stdout.readline())
        peers = [connect(port) for _ in range(100)]
        assert 30 < sum([await is_served(peer) for peer in peers]) < 64
        for peer in peers:
            peer.close()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not await a_new_caller_is_served(port):
                pass  # the descriptors are not free yet
        for _ in range(10):
            assert await a_new_caller_is_served(port)
        process.stdin.close()
        assert float(await process.stdout.readline()) < 2.0, "it did not spin"
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
