"""Whatever goes wrong, and wherever: the log has JSON lines with types and frames, and no value (toolkit/S3)."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field, ValidationError, field_validator
from pydantic_core import PydanticCustomError

from axhub.toolkit import HttpBody, LegacyError, Output
from axhub.toolkit.connectors.http_bodies import answer_of
from axhub.toolkit.places import shown_place
from axhub.toolkit.published.validation import SchemaValidator
from axhub.toolkit.service.log import JsonFormatter
from axhub.toolkit.service.results import InvalidResultError, ResultWriter
from axhub.toolkit.service.traces import trace_of
from axhub.toolkit.service.unhandled import tell_of_loop
from support.desk import desk, logged_to
from support.service_process import service_process
from support.service_projects import write_files
from support.tool_packages import HEAD, definition_text

pytestmark = pytest.mark.req("toolkit/S3")

SECRET = "홍길동900101"
LEAKS = """
import asyncio
import gc
import logging
import threading
import warnings

SECRET = "".join(["홍길동", "900101"])

async def fail():
    raise ValueError(SECRET)

def fail_at_once(value):
    raise KeyError(value)

class Failing:
    def __del__(self):
        raise RuntimeError(SECRET)

class Unprintable:
    def __str__(self):
        raise RuntimeError(SECRET)

class Argument(Input):
    way: Annotated[str, Desc("way")]

@tool(name="cmm_claim_search", title="보험금 청구 상태 조회", description="조회합니다.", category_key="cmm")
async def search(request: Argument) -> Response:
    if request.way == "task":
        asyncio.create_task(fail())
        await asyncio.sleep(0.01)
        gc.collect()
    elif request.way == "callback":
        asyncio.get_running_loop().call_soon(fail_at_once, SECRET)
        await asyncio.sleep(0.01)
    elif request.way == "future":
        asyncio.get_running_loop().create_future().set_exception(ValueError(SECRET))
        gc.collect()
    elif request.way == "thread":
        thread = threading.Thread(target=fail_at_once, args=(SECRET,))
        thread.start()
        thread.join()
    elif request.way == "destructor":
        Failing()
    elif request.way == "warning":
        warnings.warn(f"odd: {SECRET}")
    elif request.way == "record":
        logging.getLogger("claims").error("%d", SECRET)
        logging.getLogger("claims").error("%s", Unprintable())
    return Response(status="OPEN")
"""
LINES = {
    "task": {"event": "unhandled", "error": "ValueError", "problem": "Task exception was never retrieved"},
    "callback": {"event": "unhandled", "error": "KeyError", "problem": "Exception in callback"},
    "future": {"event": "unhandled", "error": "ValueError", "problem": "Future exception was never retrieved"},
    "thread": {"event": "unhandled", "error": "KeyError", "problem": "a thread ended with an error"},
    "destructor": {"event": "unhandled", "error": "RuntimeError", "where": "Failing.__del__"},
    "warning": {"event": "python_warning", "category": "UserWarning"},
    "record": {"event": "log", "level": "error", "logger": "claims"},
}


@pytest.mark.timeout(60)
async def test_a_service_tells_what_nobody_handles_without_its_text(tmp_path: Path) -> None:
    package = write_files(
        tmp_path / "leak_tools",
        {
            "__init__.py": "",
            "app.py": 'from axhub.toolkit import ToolService\napp = ToolService("leak_tools")\n',
            "config/service.yaml": "mcp:\n  bundleId: leaks\n",
            "tool_definitions/cmm/cmm_claim_search.yml": definition_text(),
            "biz/cmm/usecase.py": HEAD + LEAKS,
        },
    )
    words = ("leak_tools", "--profile", "local", "--port", "0")
    async with service_process(*words, PYTHONPATH=str(package.parent)) as service:
        await service.ready()
        for way in LINES:
            body = json.dumps({"way": way}).encode()
            assert (await service.send("/tools/cmm_claim_search", body)).status == 200, way
        service.process.terminate()
        assert await service.exit_code() == 0
    assert service.log.other_lines == []
    told = [event for event in service.log.events if event["event"] in {"unhandled", "python_warning", "log"}]
    assert SECRET not in json.dumps(service.log.events, ensure_ascii=False)
    assert [{name: event.get(name) for name in line} for event, line in zip(told, LINES.values(), strict=False)] == [
        *LINES.values()
    ]
    assert [event["message"] for event in told if event["event"] == "log"] == [
        f"a record that cannot be formatted ({kind}, {package}/biz/cmm/usecase.py:{line})"
        for kind, line in (("TypeError", 59), ("RuntimeError", 60))
    ]
    traces = [event["trace"] for event in told if "trace" in event]
    assert [any("usecase.py" in frame for frame in trace) for trace in traces] == [True, True, False, True, True]


def test_a_loop_without_a_handler_gets_ours_until_the_service_stops() -> None:
    lines: list[str] = []
    loop = asyncio.new_event_loop()
    try:
        assert loop.run_until_complete(handler_while_served()) is not None
        assert loop.get_exception_handler() is None
        take_back = tell_of_loop(loop)
        with logged_to(lines):
            loop.call_exception_handler({"message": f"<Handle {SECRET}>", "exception": ValueError(SECRET)})
            loop.call_exception_handler({"message": "Task was destroyed but it is pending!", "task": SECRET})
        take_back()
        assert loop.get_exception_handler() is None
    finally:
        loop.close()
    found = [json.loads(line) for line in lines]
    assert [(one["event"], one["problem"], one.get("error")) for one in found] == [
        ("unhandled", "asyncio", "ValueError"),
        ("unhandled", "Task was destroyed but it is pending!", None),
    ]
    assert SECRET not in "".join(lines)


async def handler_while_served() -> Any:
    async with desk():
        return asyncio.get_running_loop().get_exception_handler()


def test_a_loop_with_a_handler_of_its_own_keeps_it() -> None:
    own: list[dict[str, Any]] = []
    loop = asyncio.new_event_loop()
    try:
        loop.set_exception_handler(lambda _, context: own.append(context))
        take_back = tell_of_loop(loop)
        loop.call_exception_handler({"message": "one"})
        take_back()
        loop.call_exception_handler({"message": "other"})
    finally:
        loop.close()
    assert own == [{"message": "one"}, {"message": "other"}]


class Leg(HttpBody):
    money: dict[str, int]
    names: list[dict[str, int]] = Field(default=[], alias="NM")


class Closed(BaseModel):
    model_config = {"extra": "forbid"}
    kind: int = 0

    @field_validator("kind")
    @classmethod
    def refuse(cls, value: int) -> int:
        raise PydanticCustomError(f"bad_{SECRET}", "no")


def invalid(model: type[BaseModel], value: Any) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value)
    return caught.value


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (invalid(Leg, {"money": {SECRET: "x"}}), "Leg: /money/* int_parsing"),
        (invalid(Leg, {"money": {"money": "x"}}), "Leg: /money/money int_parsing"),
        (invalid(Leg, {"money": {9001011234567: 1}}), "Leg: /money/*/[key] string_type"),
        (invalid(Leg, {"money": {}, "NM": [{}, {SECRET: "x"}]}), "Leg: /NM/1/* int_parsing"),
        (invalid(Closed, {SECRET: 1, "kind": 1}), "Closed: /kind custom, /* extra_forbidden"),
        (invalid(Leg, SECRET), "Leg: / model_type"),
    ],
)
def test_places_of_a_validation_error_show_only_names_that_a_model_declares(error: ValidationError, said: str) -> None:
    assert trace_of(error)["trace"][:1] == [f"pydantic_core._pydantic_core.ValidationError {said}"]


def test_the_answer_of_a_legacy_system_is_told_without_its_keys() -> None:
    with pytest.raises(LegacyError) as caught:
        answer_of(json.dumps({"money": {SECRET: "x", "A9001011234567": "y"}}).encode(), "application/json", Leg)
    assert caught.value.message == "the answer is no Leg: /money/* int_parsing, /money/* int_parsing"


class Table(Output):
    rows: dict[str, int]


def test_a_result_that_breaks_its_schema_is_told_without_its_keys() -> None:
    schema = {"properties": {"rows": {"additionalProperties": {"maximum": 1}}}}
    with pytest.raises(InvalidResultError) as caught:
        ResultWriter(Table, SchemaValidator(schema)).write(Table(rows={SECRET: 2}))
    assert caught.value.places == ["/rows/*: maximum"]


def test_places_are_shown_with_list_positions_and_without_large_numbers() -> None:
    assert shown_place(("rows", 0, 99_999, 100_000)) == "/rows/0/99999/*"
    assert shown_place(()) == ""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("E-47.11_x", "E-47.11_x"),
        ("x" * 64, "x" * 64),
        ("x" * 65, "<str>"),
        ("", "<str>"),
        (f"코드 {SECRET}", "<str>"),
        ("two words", "<str>"),
        ("E1\n", "<str>"),
        (4711, "<int>"),
        (None, "<NoneType>"),
    ],
)
def test_the_code_of_a_legacy_error_is_told_if_it_looks_like_one(code: Any, said: str) -> None:
    assert trace_of(LegacyError(code, SECRET))["trace"] == [f"axhub.toolkit.errors.LegacyError code={said}"]


def test_what_asyncio_writes_itself_is_cut_before_it_shows_objects() -> None:
    record = logging.LogRecord(
        "asyncio", logging.WARNING, __file__, 1, "Executing %r took\nfuture: x", (f"<Task {SECRET}>",), None
    )
    assert json.loads(JsonFormatter().format(record))["message"] == "Executing '"
