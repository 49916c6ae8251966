"""A real browser without a window, told what to do as a person would: open, read, type, press.

    async with chromium(tmp_path) as page:
        await page.open("http://127.0.0.1:8090/approvals")
        await page.write("textarea", token)
        await page.press("button")

It is driven through the DevTools protocol over a pair of pipes, so nothing listens anywhere; when the pipes close, it
ends. It connects to this machine and nowhere else.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

from support import needs

__all__ = ["NEEDED", "Page", "chromium"]

NEEDED: Final = pytest.mark.needs("chromium")
_PATIENCE_SECONDS: Final = 30.0
_FLAGS: Final = (
    *("--headless", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--lang=en"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-breakpad", "--disable-crash-reporter", "--disable-extensions"),
    "--no-sandbox",  # it sees pages of ours only, and a container seldom has what its sandbox needs
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
_MOST_BYTES: Final = 1 << 24
_EXEC: Final = """
import fcntl, os, sys
for at, given in enumerate([fcntl.fcntl(int(one), fcntl.F_DUPFD, 10) for one in sys.argv[1:3]]):
    os.dup2(given, 3 + at)
    os.close(given)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Puts the pipes where the browser reads and writes, at the descriptors 3 and 4, and becomes the browser."""


@dataclass
class Page:
    """The one page of a browser."""

    commands: int
    """Descriptor that the browser reads from."""
    session: str = ""
    loads: asyncio.Event = field(default_factory=asyncio.Event)
    dialogs: list[str] = field(default_factory=list)
    """Texts of `alert` and the like: whatever opens one is a script."""
    _waiting: dict[int, asyncio.Future[Any]] = field(default_factory=dict)

    async def open(self, url: str) -> None:
        """Go to an address, and wait until the page has been loaded."""
        self.loads.clear()
        await self.tell("Page.navigate", url=url)
        await self._loaded()

    async def write(self, selector: str, text: str) -> None:
        """Type a text into an element."""
        await self.tell("DOM.focus", nodeId=await self._node(selector))
        await self.tell("Input.insertText", text=text)

    async def press(self, selector: str) -> None:
        """Click on the middle of an element with a mouse, and wait until the next page has been loaded."""
        node = await self._node(selector)
        await self.tell("DOM.scrollIntoViewIfNeeded", nodeId=node)
        corners = (await self.tell("DOM.getBoxModel", nodeId=node))["model"]["content"]
        where = {"x": sum(corners[::2]) / 4, "y": sum(corners[1::2]) / 4, "button": "left", "clickCount": 1}
        self.loads.clear()
        for kind in ("mousePressed", "mouseReleased"):
            await self.tell("Input.dispatchMouseEvent", type=kind, **where)
        await self._loaded()

    async def look(self, expression: str) -> Any:
        """Return what an expression says of the page, as the browser's own tools do, whatever the page may run."""
        said = await self.tell("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in said, said
        return said["result"].get("value")

    async def text(self) -> str:
        """Return what there is to be read."""
        return str(await self.look("document.body.innerText"))

    async def tell(self, method: str, **parameters: Any) -> Any:
        """Send one command of the protocol, and return its result."""
        number = len(self._waiting)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        said = {"id": number, "method": method, "params": parameters}
        os.write(
            self.commands, json.dumps(said | ({"sessionId": self.session} if self.session else {})).encode() + b"\0"
        )
        async with asyncio.timeout(_PATIENCE_SECONDS):
            answer = await self._waiting[number]
        assert "error" not in answer, (method, answer)
        return answer["result"]

    async def hear(self, answers: asyncio.StreamReader) -> None:
        """Take what the browser says until it ends."""
        with suppress(asyncio.IncompleteReadError):
            while said := json.loads((await answers.readuntil(b"\0"))[:-1]):
                if "id" in said:
                    self._waiting[said["id"]].set_result(said)
                elif said["method"] == "Page.loadEventFired":
                    self.loads.set()
                elif said["method"] == "Page.javascriptDialogOpening":
                    self.dialogs.append(said["params"]["message"])

    async def _loaded(self) -> None:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            await self.loads.wait()

    async def _node(self, selector: str) -> int:
        root = (await self.tell("DOM.getDocument"))["root"]["nodeId"]
        node = int((await self.tell("DOM.querySelector", nodeId=root, selector=selector))["nodeId"])
        assert node, f"there is no {selector} on the page: {await self.text()}"
        return node


@asynccontextmanager
async def chromium(folder: Path, *, has_scripts: bool = True) -> AsyncIterator[Page]:
    """Start a browser with a profile of its own; at the end of the block it is gone.

    Args:
        folder: for its profile.
        has_scripts: whether pages may run JavaScript.
    """
    async with _started(folder) as (commands, answers):
        page = Page(commands)
        hearing = asyncio.create_task(page.hear(answers))
        try:
            targets = (await page.tell("Target.getTargets"))["targetInfos"]
            target = next(one["targetId"] for one in targets if one["type"] == "page")
            page.session = (await page.tell("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
            await page.tell("Page.enable")
            await page.tell("DOM.enable")
            await page.tell("Emulation.setScriptExecutionDisabled", value=not has_scripts)
            yield page
        finally:
            hearing.cancel()
            await asyncio.wait([hearing])


@asynccontextmanager
async def _started(folder: Path) -> AsyncIterator[tuple[int, asyncio.StreamReader]]:
    """Start the process, with all that it starts in one group; return both ends of the pipes."""
    program = needs.find_program("chromium")
    assert program is not None
    (read, commands), (said, write) = os.pipe(), os.pipe()
    flags = [*_FLAGS, f"--user-data-dir={folder / 'profile'}"]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _EXEC, str(read), str(write), program, *flags, "about:blank"),
        pass_fds=(read, write),
        start_new_session=True,
        env={**os.environ, "HOME": str(folder), "LANG": "C.UTF-8"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    os.close(read)
    os.close(write)
    answers = asyncio.StreamReader(_MOST_BYTES)
    pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(answers), os.fdopen(said, "rb")
    )
    try:
        yield commands, answers
    finally:
        os.close(commands)  # at which it ends by itself
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await process.wait()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # whatever of it is still there
        await process.wait()
        pipe.close()
