"""`ToolService`: what an author's `app.py` makes of a package, and any ASGI server serves (toolkit/T1, S1 to S7).

Nothing happens when it is made. `start`, or the server's lifespan, finds the tools, wires them and lists everything
that is wrong at once.
"""

import asyncio
import logging
import os
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from axhub import __version__
from axhub.configuration.languages import language_of
from axhub.toolkit.config.settings import ServiceSettings
from axhub.toolkit.service.options import Options, StartError

if TYPE_CHECKING:
    from axhub.toolkit.service.endpoint import Send, Target
    from axhub.toolkit.service.starting import Prepared
    from axhub.toolkit.service.watch import Receive
    from axhub.toolkit.service.wiring import Provide

__all__ = ["ToolService"]

PROFILE_VARIABLE: Final = "AXHUB_PROFILE"
STRICT_PROFILE: Final = "production"
_TOOLS: Final = "/tools/"
_SHARED: Final = frozenset({b"/mcp", b"/mcp/"})
_POST: Final = "POST"


class ToolService:
    """One Tool Service as an ASGI app.

    ```python
    app = ToolService("claim_tools")
    app = ToolService("claim_tools", provide={EmployeeCipher: KmsCipher(), ClaimPort: ClaimClient})
    ```
    """

    def __init__(
        self,
        package: str,
        *,
        provide: "Provide" = (),
        config: str | Path | None = None,
        profile: str | None = None,
    ) -> None:
        """Name the package; nothing of it is imported yet.

        Args:
            package: the dotted name of the package that holds the tools.
            provide: what tools and clients ask for beyond the package's own classes: instances, or types with an
                instance or with a class or function that makes one.
            config: the configuration file; None: `config/service.yaml` inside the package.
            profile: None: the environment's `AXHUB_PROFILE`, else `production`. Only `local` relaxes anything.
        """
        self.package = package
        self._options = Options(package, provide, None if config is None else Path(config), profile)
        self._prepared: Prepared | None = None
        self._open: AsyncExitStack | None = None
        self._draining = False
        self._targets: Mapping[bytes, Target] = {}

    def configure(
        self,
        *,
        config: Path | None = None,
        profile: str | None = None,
        environ: Mapping[str, str] | None = None,
        host: str | None = None,
        port: int | None = None,
        settings: ServiceSettings | None = None,
    ) -> None:
        """Say otherwise than the constructor did, before the start; None leaves what was said.

        Args:
            config: the configuration file.
            profile: of the service.
            environ: what stands in for the process's environment.
            host: instead of `server.host`; whoever serves the app listens there.
            port: instead of `server.port`; settings that refer to `${server.port}` get this one.
            settings: instead of a file; their profile is the one that applies.
        """
        self._options = self._options.changed(
            config=config, profile=profile, environ=environ, host=host, port=port, settings=settings
        )

    def address(self) -> tuple[str, int] | None:
        """Return host and port that the service was told to listen on; None if a fault hides them.

        With the port 0 whoever serves the app binds a socket first and then says `configure(port=…)`: settings that
        refer to `${server.port}`, as those of its own mocks, need the real one.

        Raises:
            StartError: there is no such package.
        """
        from axhub.toolkit.service.starting import address_of  # noqa: PLC0415 - as in `prepare`

        return address_of(self._options, os.environ if self._options.environ is None else self._options.environ)

    def prepare(self) -> "Prepared":
        """Do everything of a start that needs no event loop; what is ready stays ready.

        Raises:
            StartError: something is wrong; it lists all that could be found.
        """
        if self._prepared is None:
            from axhub.toolkit.service.starting import prepare  # noqa: PLC0415 - an import of the app must cost little

            environ = os.environ if self._options.environ is None else self._options.environ
            profile = self._options.profile or environ.get(PROFILE_VARIABLE) or STRICT_PROFILE
            self._prepared = prepare(self._options, profile, environ, self.is_ready)
        return self._prepared

    @property
    def is_started(self) -> bool:
        """Whether `start` has been done and `stop` not yet."""
        return self._open is not None

    async def start(self) -> None:
        """Get ready to answer calls; a second start changes nothing.

        Raises:
            StartError: see `prepare`; also what the adapters say when they are opened.
        """
        if self._open is not None:
            return
        from axhub.toolkit.service.log import ensure_output  # noqa: PLC0415 - as in `prepare`
        from axhub.toolkit.service.opening import open_all  # noqa: PLC0415 - as in `prepare`
        from axhub.toolkit.service.unhandled import tell_of_loop  # noqa: PLC0415 - as in `prepare`

        prepared = self.prepare()
        ensure_output()
        stack = AsyncExitStack()
        stack.callback(tell_of_loop(asyncio.get_running_loop()))
        await open_all(stack, prepared.resources)
        self._open, self._draining = stack, False
        self._targets = prepared.by_path
        prepared.log.event(
            logging.INFO,
            "started",
            bundle=prepared.settings.bundle_id,
            tools=len(prepared.tools),
            profile=prepared.settings.profile,
        )
        if prepared.checked_by not in {None, __version__}:
            prepared.log.event(
                logging.WARNING, "checked_by_another_version", checkedBy=prepared.checked_by, axhub=__version__
            )

    async def stop(self) -> None:
        """Close what `start` opened; calls in flight are over by then."""
        stack, self._open = self._open, None
        self._targets = {}
        if stack is not None:
            await stack.aclose()

    def drain(self) -> None:
        """Say from now on that the service is not ready; calls are still answered (toolkit/S6)."""
        self._draining = True

    def is_ready(self) -> bool:
        """Say whether callers may be sent here: not before the start, while draining, or with too much left behind."""
        prepared = self._prepared
        return (
            self._open is not None and not self._draining and prepared is not None and not prepared.endpoint.is_clogged
        )

    async def __call__(self, scope: Mapping[str, Any], receive: "Receive", send: "Send") -> None:
        """Answer one ASGI connection."""
        kind = scope["type"]
        if kind == "http":
            target = self._targets.get(scope.get("raw_path") or b"")
            if target is not None and scope["method"] == _POST and self._prepared is not None:
                await self._prepared.endpoint.by_path(target, scope, receive, send)
            else:
                await self._other(scope, receive, send)
        elif kind == "lifespan":
            await self._lifespan(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _other(self, scope: Mapping[str, Any], receive: "Receive", send: "Send") -> None:
        from axhub.toolkit.service.answers import Outcome, refusal  # noqa: PLC0415 - loaded by the start at the latest
        from axhub.toolkit.service.endpoint import send_answer  # noqa: PLC0415 - as above

        prepared = self._prepared
        if prepared is None or self._open is None:
            await send_answer(send, refusal("NOT_STARTED", "en", Outcome.BUSY, headers=((b"retry-after", b"1"),)))
            return
        path = _path(scope)
        language = prepared.settings.language
        shared = path in _SHARED
        if not shared and not path.startswith(_TOOLS.encode()):
            await prepared.pages(dict(scope), receive, send)
        elif scope["method"] != _POST:
            await send_answer(
                send, refusal("METHOD_NOT_ALLOWED", language, Outcome.NOT_FOUND, headers=((b"allow", b"POST"),))
            )
        elif shared:
            await prepared.endpoint.by_header(scope, receive, send)
        else:
            name = unquote(path[len(_TOOLS) :].decode("ascii", "replace"))
            same = quote(name, safe="") if b"/" not in path[len(_TOOLS) :] else ""
            target = self._targets.get(f"{_TOOLS}{same}".encode())
            await prepared.endpoint.by_path(target, scope, receive, send)

    async def _lifespan(self, receive: "Receive", send: "Send") -> None:
        await receive()
        try:
            await self.start()
        except StartError as error:
            message = error.said(language_of(os.environ))
            await send({"type": "lifespan.startup.failed", "message": message})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.drain()
        try:
            await asyncio.shield(self.stop())
        except Exception as error:  # noqa: BLE001 - an adapter of the author may fail in any way
            from axhub.toolkit.service.traces import told_of  # noqa: PLC0415 - as in `prepare`

            message = f"an adapter could not be closed: {told_of(error)}"
            await send({"type": "lifespan.shutdown.failed", "message": message})
            return
        await send({"type": "lifespan.shutdown.complete"})


def _path(scope: Mapping[str, Any]) -> bytes:
    """Return the path as it was sent, without what the app is mounted under."""
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    return raw.partition(b"?")[0].removeprefix(quote(scope.get("root_path", "")).encode())
