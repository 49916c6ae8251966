"""One line per call to a legacy system: what happened, and nothing of what was said (toolkit/H2)."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Any, Final

import pytest

from axhub.toolkit.connectors.http_call import LOGGER
from axhub.toolkit.context import Encrypted, ToolContext, current_context
from axhub.toolkit.errors import LegacyError
from axhub.toolkit.service.log import JsonFormatter
from support.http_apis import Answer, Pauses, Question, api, client
from support.tool_service import Answers, ToolService, reply

SECRET: Final = "geheim"
OK: Final = reply(body=b'{"clmNo": "geheim"}')


class Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    @property
    def fields(self) -> list[dict[str, Any]]:
        found = [dict(vars(record)["fields"]) for record in self.records]
        assert all(isinstance(one.pop("durationMs"), float) for one in found)
        return found


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler, logger = Lines(), logging.getLogger(LOGGER)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(level)


@pytest.fixture
async def legacy() -> AsyncIterator[ToolService]:
    async with ToolService() as service:
        yield service


async def call(legacy: ToolService, *answers: Answers, **more: Any) -> None:
    current_context.set(ToolContext("trace-1", "request-1", employee=Encrypted(SECRET)))
    for target in ("/claims", "/claims?clmNo=geheim"):
        legacy.on(target, *answers)
    entry = api(legacy.origin, headers=(("X-Api-Key", SECRET),), **more)
    async with client(entry, sleep=Pauses().sleep) as http:
        with suppress(LegacyError):
            await http.call("claim", Question(clmNo=SECRET), Answer)


IDS: Final = {"traceId": "trace-1", "xRequestId": "request-1"}


@pytest.mark.req("toolkit/H2", "threat/T11")
@pytest.mark.parametrize(
    ("answers", "more", "level", "line"),
    [
        ((OK,), {}, logging.INFO, {"method": "POST", "status": 200, "tries": 1}),
        (
            (reply(503), OK),
            {"method": "GET", "max_retries": 1},
            logging.INFO,
            {"method": "GET", "status": 200, "tries": 2},
        ),
        (
            (reply(404, b"geheim", headers=[(b"X-Why", b"geheim")]),),
            {},
            logging.WARNING,
            {
                "method": "POST",
                "status": 404,
                "tries": 1,
                "code": "404",
                "problem": "the API answered with the status 404",
            },
        ),
        (
            (reply(body=b'{"amount": "geheim", "geheim": 1}'),),
            {},
            logging.WARNING,
            {
                "method": "POST",
                "status": 200,
                "tries": 1,
                "code": "invalid_answer",
                "problem": "the answer is no Answer: /clmNo missing, /amount int_parsing",
            },
        ),
    ],
)
async def test_a_line_says_what_happened_and_shows_no_value(
    answers: tuple[Answers, ...],
    more: dict[str, Any],
    level: int,
    line: dict[str, Any],
    legacy: ToolService,
    lines: Lines,
) -> None:
    await call(legacy, *answers, **more)
    assert lines.fields == [{"api": "claim", **line, **IDS}]
    record = lines.records[0]
    assert (record.levelno, record.getMessage()) == (level, "http_call")
    assert SECRET not in f"{JsonFormatter().format(record)} {vars(record)!r}"


@pytest.mark.req("toolkit/H2")
async def test_a_new_request_id_is_logged_with_its_parent(legacy: ToolService, lines: Lines) -> None:
    await call(legacy, OK, new_request_id=True)
    sent = legacy.requests[0].headers[b"request-id"].decode()
    assert lines.fields == [
        {
            "api": "claim",
            "method": "POST",
            "status": 200,
            "tries": 1,
            "traceId": "trace-1",
            "xRequestId": sent,
            "parentRequestId": "request-1",
        }
    ]
