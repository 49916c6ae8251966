"""`python -m tools.small_model`: serve the small model on loopback, for whatever speaks OpenAI's chat completions."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.small_model.engine import Llama, NotInstalledError
from tools.small_model.server import PORT, ModelServer


def main(arguments: list[str] | None = None) -> int:
    """Serve until a signal ends it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.small_model", description=main.__doc__)
    parser.add_argument("--port", type=int, default=PORT, help=f"on 127.0.0.1 ({PORT}; 0: any free one)")
    parser.add_argument("--record", type=Path, help="file that gets a line of JSON for each request and its answer")
    parser.add_argument("--threads", type=int, default=1, help="of the processor (1: it is fast enough with one)")
    parser.add_argument("--seed", type=int, default=1, help="of chance (1)")
    parser.add_argument("--temperature", type=float, default=0.0, help="0, the default: the likeliest, without chance")
    said = parser.parse_args(arguments)
    try:
        engine = Llama(said.threads, said.seed, said.temperature)
    except NotInstalledError as error:
        print(error, file=sys.stderr)
        return 2
    with ModelServer(engine, said.port, _noting(said.record)) as server:
        print(f"small model: {server.base_url}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


def _noting(file: Path | None) -> Callable[[Mapping[str, Any]], None]:
    """Return what writes each request down."""

    def note(line: Mapping[str, Any]) -> None:
        if file is not None:
            with file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")

    return note


if __name__ == "__main__":
    sys.exit(main())
