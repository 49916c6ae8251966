"""Lines of the log: JSON, whoever writes them, and of an exception never its text (toolkit/S3)."""

import json
import logging
import logging.config
import sys
from typing import Any

import pytest

from axhub.toolkit.service.log import JsonFormatter, log_config, trace_of

SECRET = "900101-1234567"


def line(record: logging.LogRecord) -> Any:
    return json.loads(JsonFormatter().format(record))


def record(message: str, *values: object, error: BaseException | None = None) -> logging.LogRecord:
    info = None if error is None else (type(error), error, error.__traceback__)
    return logging.LogRecord("claims.client", logging.ERROR, __file__, 1, message, values, info)


def raised(error: BaseException) -> BaseException:
    try:
        raise error  # noqa: TRY301 - a trace needs a place where it was raised
    except BaseException as caught:  # noqa: BLE001 - any error is what the helper is for
        return caught


@pytest.mark.req("toolkit/S3")
def test_a_line_of_an_author_stands_in_the_same_form() -> None:
    found = line(record("경고: %s\n%s", "하나", "x" * 5000))
    assert (found["level"], found["event"], found["logger"]) == ("error", "log", "claims.client")
    assert found["message"].startswith("경고: 하나 xxx")
    assert len(found["message"]) <= 4096


@pytest.mark.req("toolkit/S3")
def test_an_exception_is_told_by_type_and_lines_whoever_logs_it() -> None:
    text = JsonFormatter().format(record("it failed", error=raised(ValueError(SECRET))))
    found = json.loads(text)
    assert found["error"] == "ValueError"
    assert found["trace"][1].strip().endswith("in raised")
    assert SECRET not in text


@pytest.mark.req("toolkit/S3")
def test_groups_and_chains_are_told_without_end() -> None:
    first = ValueError(SECRET)
    second = TypeError(SECRET)
    first.__cause__, second.__context__ = second, first
    names = [one for one in trace_of(first)["trace"] if not one.startswith("  ")]
    assert names == ["ValueError", "because of: TypeError"]
    group = ExceptionGroup(SECRET, [ValueError(SECRET), KeyError(SECRET)])
    told = trace_of(raised(group))
    assert [one for one in told["trace"] if not one.startswith("  ")] == [
        "ExceptionGroup",
        "one of: ValueError",
        "one of: KeyError",
    ]
    assert SECRET not in json.dumps(told)
    deep = ValueError()
    for _ in range(20):
        deeper = ValueError()
        deeper.__cause__, deep = deep, deeper
    assert len(trace_of(deep)["trace"]) == 5


def test_the_configuration_of_the_log_is_one_that_logging_takes(capsys: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        logging.config.dictConfig(log_config())
        logging.getLogger("claims").info("안녕")
        assert json.loads(capsys.readouterr().err)["message"] == "안녕"
    finally:
        root.handlers, root.level = before
        for name in ("uvicorn.access", "uvicorn.error"):
            logging.getLogger(name).setLevel(logging.NOTSET)
    assert sys.stderr is not None
