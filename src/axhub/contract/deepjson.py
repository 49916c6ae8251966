"""The JSON grammar without recursion: for documents nested deeper than a recursive parser goes (gateway/X3).

Strings and scalars become one byte each, then a table of states is followed with a stack of open containers.
"""

import re
from enum import IntEnum, auto
from typing import Final

MAX_TOKENS: Final = 1_000_000
"""More are not looked at: bounds the time that one document takes to about a tenth of a second."""

_STRING: Final = re.compile(
    rb'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'  # RFC 8259, section 7
)
_SCALAR: Final = re.compile(rb"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?|true|false|null")
_BLANKS: Final = b" \t\n\r"
_FORBIDDEN: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")  # controls stand nowhere in JSON
_TEXT: Final = 1
_VALUE: Final = 2


class _State(IntEnum):
    """What may come next; from OPEN_ARRAY on: what to do before that is known."""

    NEED_VALUE = 0
    ARRAY_BEGUN = auto()
    OBJECT_BEGUN = auto()
    NEED_NAME = auto()
    NEED_COLON = auto()
    IN_ARRAY = auto()
    IN_OBJECT = auto()
    AT_END = auto()
    OPEN_ARRAY = auto()
    OPEN_OBJECT = auto()
    CLOSE = auto()
    VALUE = auto()
    ERROR = auto()


_VALUES: Final = {
    _TEXT: _State.VALUE,
    _VALUE: _State.VALUE,
    ord("["): _State.OPEN_ARRAY,
    ord("{"): _State.OPEN_OBJECT,
}
_MOVES: Final = {
    _State.NEED_VALUE: _VALUES,
    _State.ARRAY_BEGUN: {**_VALUES, ord("]"): _State.CLOSE},
    _State.OBJECT_BEGUN: {_TEXT: _State.NEED_COLON, ord("}"): _State.CLOSE},
    _State.NEED_NAME: {_TEXT: _State.NEED_COLON},
    _State.NEED_COLON: {ord(":"): _State.NEED_VALUE},
    _State.IN_ARRAY: {ord(","): _State.NEED_VALUE, ord("]"): _State.CLOSE},
    _State.IN_OBJECT: {ord(","): _State.NEED_NAME, ord("}"): _State.CLOSE},
    _State.AT_END: {},
}
_ROWS: Final = [bytes(moves.get(token, _State.ERROR) for token in range(256)) for moves in _MOVES.values()]
_OPENED: Final = {int(_State.OPEN_ARRAY): int(_State.ARRAY_BEGUN), int(_State.OPEN_OBJECT): int(_State.OBJECT_BEGUN)}
_AROUND: Final = {int(_State.OPEN_ARRAY): int(_State.IN_ARRAY), int(_State.OPEN_OBJECT): int(_State.IN_OBJECT)}


def is_json(text: bytes) -> bool:
    """Say whether `text` is one JSON value of at most 1,000,000 tokens, however deep. UTF-8 is not looked at."""
    if _FORBIDDEN.search(text):
        return False
    tokens = _SCALAR.sub(bytes([_VALUE]), _STRING.sub(bytes([_TEXT]), text)).translate(None, _BLANKS)
    return len(tokens) <= MAX_TOKENS and _follow(tokens)


def _follow(tokens: bytes) -> bool:
    state = 0
    after = [int(_State.AT_END)]  # what follows the value that is being read, for each container around it
    moving = int(_State.AT_END)
    for token in tokens:
        state = _ROWS[state][token]
        if state <= moving:
            continue
        if state in _OPENED:
            after.append(_AROUND[state])
            state = _OPENED[state]
        elif state == _State.ERROR:
            return False
        else:
            if state == _State.CLOSE:
                after.pop()
            state = after[-1]
    return state == _State.AT_END
