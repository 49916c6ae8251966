"""What each codec of the bench of telegrams does with its standard input: answer once, then be timed.

Lines in: `answers HEX`, `decode N`, `encode N`. Lines out, as JSON: the telegram's values and the bytes that they make
again; or the microseconds of CPU that one of N repetitions took. It imports nothing but the standard library, since it
runs in the environments of all of them.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any


def serve(decode: Callable[[bytes], Any], encode: Callable[[Any], bytes], plain: Callable[[Any], Any]) -> None:
    """Serve until the input ends.

    Args:
        decode: takes a telegram apart.
        encode: puts what `decode` returned together again.
        plain: makes it what JSON can hold.
    """
    raw, value = b"", None
    for line in sys.stdin:
        what, argument = line.split()
        if what == "answers":
            raw = bytes.fromhex(argument)
            value = decode(raw)
            answer: Any = {"plain": plain(value), "raw": encode(value).hex()}
        elif what == "decode":
            answer = _micros(decode, raw, int(argument))
        else:
            answer = _micros(encode, value, int(argument))
        print(json.dumps(answer, ensure_ascii=True), flush=True)


def _micros(work: Callable[[Any], Any], given: Any, times: int) -> float:
    began = time.process_time()
    for _ in range(times):
        work(given)
    return (time.process_time() - began) / times * 1e6
