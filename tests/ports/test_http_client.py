"""The port `HttpClient`: the adapter over real sockets and the shipped scripted one keep the same promises."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from axhub.toolkit.config.settings import HttpApiSettings
from axhub.toolkit.connectors.http_client import PooledHttpClient
from axhub.toolkit.context import Encrypted, ToolContext, current_context
from axhub.toolkit.errors import LegacyError
from axhub.toolkit.ports import HttpClient
from axhub.toolkit.testing_http import ScriptedHttp, SentRequest
from support.http_apis import QUESTION, Answer, Question, api
from support.tool_service import Answers, Hang, Received, Reset, Step, ToolService, reply


@dataclass
class Subject:
    """One adapter with the APIs `echo`, `extra`, `wrong`, `refused`, `broken`, `slow`, `empty` and `turns`."""

    client: HttpClient
    sent: Callable[[], list[Any]]
    """The members of each request so far."""
    contexts: Callable[[], list[tuple[str, str, str | None]]]
    """Trace id, request id and encrypted employee number of each request so far."""


def _echo(seen: Received) -> tuple[Step, ...]:
    return reply(body=json.dumps({"clmNo": json.loads(seen.body)["clmNo"]}).encode())


ANSWERS: dict[str, Answers] = {
    "echo": _echo,
    "extra": reply(body=b'{"clmNo": "1", "amount": 7, "more": {"x": []}}'),
    "wrong": reply(body=b'{"amount": "geheim"}'),
    "refused": reply(404),
    "broken": (Reset(),),
    "slow": (Hang(),),
    "empty": reply(204, b"", length=None),
}
SCRIPT: dict[str, Any] = {
    "echo": lambda sent: {"clmNo": sent.members["clmNo"]},
    "extra": {"clmNo": "1", "amount": 7, "more": {"x": []}},
    "wrong": {"amount": "geheim"},
    "refused": 404,
    "broken": LegacyError("unreachable"),
    "slow": LegacyError("timeout"),
    "empty": 204,
    "turns": [503, {"clmNo": "2"}],
}


class AllDefault(Answer):
    clmNo: str = "none"  # noqa: N815 - as in the base


def _apis(origin: str) -> list[HttpApiSettings]:
    hasty = {"slow": {"read_timeout_millis": 100}}
    return [api(origin, f"/{name}", name=name, **hasty.get(name, {})) for name in (*ANSWERS, "turns")]


@pytest.fixture(params=["pooled", "scripted"])
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    if request.param == "scripted":
        scripted = ScriptedHttp(SCRIPT)
        yield Subject(
            scripted,
            lambda: [dict(sent.members) for sent in scripted.requests],
            lambda: [_ids(sent) for sent in scripted.requests],
        )
        return
    async with ToolService() as service:
        for name, answer in ANSWERS.items():
            service.on(f"/{name}", answer)
        service.on("/turns", reply(503), reply(body=b'{"clmNo": "2"}'))
        async with PooledHttpClient(_apis(service.origin)) as client:
            yield Subject(
                client,
                lambda: [json.loads(seen.body) for seen in service.requests],
                lambda: [_headers(seen) for seen in service.requests],
            )


def _ids(sent: SentRequest) -> tuple[str, str, str | None]:
    context = sent.context
    assert context is not None
    employee = context.employee
    return context.trace_id, context.request_id, None if employee is None else employee.reveal_cipher_text()


def _headers(seen: Received) -> tuple[str, str, str | None]:
    headers = {name.decode(): value.decode() for name, value in seen.headers.items()}
    return headers["trace-id"], headers["request-id"], headers.get("employee-id")


async def code_of(subject: Subject, name: str, answer: type[Answer] = Answer) -> LegacyError:
    with pytest.raises(LegacyError) as caught:
        await subject.client.call(name, QUESTION, answer)
    return caught.value


@pytest.mark.req("toolkit/H1")
async def test_a_request_has_the_models_names_and_its_answer_is_a_model(subject: Subject) -> None:
    assert await subject.client.call("echo", Question(clmNo="청구-1", rows=2), Answer) == Answer(clmNo="청구-1")
    assert subject.sent() == [{"clmNo": "청구-1", "rows": 2}]


@pytest.mark.req("toolkit/H1")
async def test_members_without_a_field_are_ignored(subject: Subject) -> None:
    assert await subject.client.call("extra", QUESTION, Answer) == Answer(clmNo="1", amount=7)


@pytest.mark.req("toolkit/H1")
async def test_an_empty_answer_is_an_object_without_members(subject: Subject) -> None:
    assert await subject.client.call("empty", QUESTION, AllDefault) == AllDefault()
    assert (await code_of(subject, "empty")).code == "invalid_answer"


@pytest.mark.req("toolkit/H1")
async def test_an_answer_of_another_shape_is_an_error_that_shows_no_value(subject: Subject) -> None:
    error = await code_of(subject, "wrong")
    assert error.code == "invalid_answer"
    assert error.message == "the answer is no Answer: /clmNo missing, /amount int_parsing"
    assert "geheim" not in f"{error!r} {error.__cause__!r} {error.__context__!r}"


@pytest.mark.req("toolkit/H1")
@pytest.mark.parametrize(
    ("name", "code"), [("refused", "404"), ("broken", "unreachable"), ("slow", "timeout"), ("turns", "503")]
)
async def test_what_fails_has_a_code(name: str, code: str, subject: Subject) -> None:
    assert (await code_of(subject, name)).code == code


@pytest.mark.req("toolkit/H1")
async def test_a_failure_says_nothing_about_the_next_call(subject: Subject) -> None:
    await code_of(subject, "turns")
    assert await subject.client.call("turns", QUESTION, Answer) == Answer(clmNo="2")


@pytest.mark.req("toolkit/H1")
async def test_an_api_that_is_not_configured_is_an_error_of_the_author(subject: Subject) -> None:
    with pytest.raises(LookupError, match='"nowhere"'):
        await subject.client.call("nowhere", QUESTION, Answer)


@pytest.mark.req("toolkit/H1")
async def test_calls_at_the_same_time_get_their_own_answers(subject: Subject) -> None:
    calls = [subject.client.call("echo", Question(clmNo=str(number)), Answer) for number in range(40)]
    assert [answer.clmNo for answer in await asyncio.gather(*calls)] == [str(number) for number in range(40)]


@pytest.mark.req("toolkit/H2")
async def test_the_context_of_the_call_goes_along(subject: Subject) -> None:
    async def call(number: int) -> None:
        employee = Encrypted(f"cipher-{number}") if number else None
        current_context.set(ToolContext(f"trace-{number}", f"request-{number}", employee=employee))
        await subject.client.call("echo", QUESTION, Answer)

    await asyncio.gather(*(asyncio.create_task(call(number)) for number in range(3)))
    assert sorted(subject.contexts(), key=str) == [
        ("trace-0", "request-0", None),
        ("trace-1", "request-1", "cipher-1"),
        ("trace-2", "request-2", "cipher-2"),
    ]


@pytest.mark.req("toolkit/H2")
async def test_a_call_that_is_cancelled_ends_and_leaves_the_others_alone(subject: Subject) -> None:
    task = asyncio.create_task(subject.client.call("slow", QUESTION, Answer))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await subject.client.call("echo", QUESTION, Answer) == Answer(clmNo="청구-1")
