"""`axhub service`: serve a Tool Service on uvicorn, with our log and our messages (chapter Serving of the toolkit)."""

import argparse
import asyncio
import logging
import logging.config
import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from axhub.cli.check import add_language
from axhub.cli.listening import CannotListenError, bound, closing_on_error
from axhub.cli.listening import port as listening_port
from axhub.cli.parsing import Help, Subparsers
from axhub.configuration.languages import Language, language_of

if TYPE_CHECKING:
    from axhub.cli.service_check import StartedCheck
    from axhub.toolkit import ToolService
    from axhub.toolkit.config.settings import ServiceSettings

STOPPED: Final = 0
FAILED: Final = 1
REFUSED: Final = 2
_EVENTS: Final = "axhub.service"
_PORT_SETTINGS: Final = "--port or server.port"
_DESCRIPTION: Final = """\
Serve the tools of one package: the manifest that a gateway pulls, and the tools it calls.

  axhub service claim_tools --profile local        on your own machine: drafts run too, findings are only logged
  axhub service claim_tools                        as in operation: profile production
  axhub service claim_tools.app:service            the ToolService has another name
"""
_EPILOG: Final = """\
PACKAGE is looked for where Python looks, then in this folder and its src folder. Outside of the profile local it must
be as the build gate checked it, and nothing of it runs before that is known.
environment: AXHUB_PROFILE instead of --profile, LANG (ko…: messages in Korean) instead of --lang
exit codes: 0 drained after a signal, 2 the service cannot start as it is (each reason is listed), 1 anything else
(a port is taken, say; or a second signal, or a call that would not end within drainSeconds)"""


def add_parser(commands: Subparsers) -> None:
    """Add `service`."""
    parser = commands.add_parser(
        "service",
        help="serve a Tool Service",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("package", metavar="PACKAGE[:app]", help="the package, and the name of its ToolService (app)")
    parser.add_argument(
        "--profile", metavar="NAME", help="only 'local' relaxes anything (default: $AXHUB_PROFILE, else production)"
    )
    parser.add_argument("--config", metavar="FILE", type=Path, help="default: config/service.yaml of the package")
    parser.add_argument("--host", help="address to listen on (default: server.host of the configuration, 127.0.0.1)")
    parser.add_argument("--port", type=listening_port, help="port to listen on, 0: any (default: server.port, 8081)")
    add_language(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until a signal comes; return the exit code."""
    from axhub.toolkit.config.settings import LOCAL_PROFILE
    from axhub.toolkit.service.app import PROFILE_VARIABLE
    from axhub.toolkit.service.loading import AppError, load_app
    from axhub.toolkit.service.log import log_config
    from axhub.toolkit.service.options import StartError
    from axhub.toolkit.service.unhandled import tell_of_process

    language = language_of(os.environ, args.lang)
    try:
        profile = args.profile or os.environ.get(PROFILE_VARIABLE)
        app = load_app(args.package, Path.cwd(), sealed=profile != LOCAL_PROFILE)
        app.configure(config=args.config, profile=args.profile, host=args.host, port=args.port)
        settings, listening = _prepared(app)
    except (AppError, StartError) as error:
        print(f"axhub service: {error.said(language)}", file=sys.stderr)
        return REFUSED
    except CannotListenError as error:
        print(f"axhub service: {error.said(language)}", file=sys.stderr)
        return FAILED
    logging.config.dictConfig(log_config())
    tell_of_process()
    with listening:
        return _serve(app, settings, listening, language)


def _prepared(app: "ToolService") -> tuple["ServiceSettings", socket.socket]:
    """Get a service ready, and bind the socket it will listen on: first, if settings need the port that it gets."""
    address = app.address()
    if address is None or address[1]:
        settings = app.prepare().settings
        return settings, bound(settings.server.host, settings.server.port, _PORT_SETTINGS)
    listening = bound(*address, _PORT_SETTINGS)
    with closing_on_error(listening):
        app.configure(port=listening.getsockname()[1])
        return app.prepare().settings, listening


def _serve(app: "ToolService", settings: "ServiceSettings", listening: socket.socket, language: Language) -> int:
    from axhub.cli.service_server import ServiceServer
    from axhub.toolkit.service.unhandled import tell_of_loop

    check = _check_of(app, settings)
    server = ServiceServer(app, settings, (lambda: None) if check is None else check.start, language)
    server.take_signals()
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        tell_of_loop(runner.get_loop())
        code = runner.run(server.run_to_end(listening))
    if check is not None:
        check.stop()
    if code == STOPPED:
        logging.getLogger(_EVENTS).info("stopped", extra={"fields": {}})
    return code


def _check_of(app: "ToolService", settings: "ServiceSettings") -> "StartedCheck | None":
    """Return the check of a service that its author runs from a project."""
    if not settings.local:
        return None
    from axhub.cli.service_check import StartedCheck, project_of

    root = project_of(app.package)
    return None if root is None else StartedCheck(root, settings.language)
