"""Days that JSON has in digits alone are nobody's seconds since 1970 (toolkit/S3, toolkit/H1)."""

from datetime import UTC, date, datetime
from typing import Annotated

import pytest
from pydantic import ValidationError

from axhub.toolkit.models import Desc, HttpBody, Input

pytestmark = pytest.mark.req("toolkit/S3", "toolkit/H1")


class Asked(Input):
    day: Annotated[date, Desc("d")] = date(2026, 1, 1)
    moments: Annotated[list[datetime | None], Desc("m")] = []  # noqa: RUF012 - a field, which Pydantic copies


class Told(HttpBody):
    day: date | None = None
    moments: list[datetime] = []  # noqa: RUF012 - a field, which Pydantic copies


@pytest.mark.parametrize("model", [Asked, Told])
@pytest.mark.parametrize(
    "body",
    [
        '{"day": "0"}',
        '{"day": "-0"}',
        '{"day": "86400"}',
        '{"day": "20260131"}',
        '{"moments": ["20260131"]}',
        '{"moments": ["20260131093000"]}',
        '{"moments": ["1767225600.5"]}',
    ],
)
def test_digits_alone_are_neither_a_day_nor_a_moment(model: type[Asked | Told], body: str) -> None:
    with pytest.raises(ValidationError):
        model.model_validate_json(body)


@pytest.mark.parametrize("model", [Asked, Told])
def test_days_and_moments_are_read_as_they_are_published(model: type[Asked | Told]) -> None:
    found = model.model_validate_json('{"day": "2026-01-31", "moments": ["2026-01-31T09:30:00Z"]}')
    assert (found.day, found.moments) == (date(2026, 1, 31), [datetime(2026, 1, 31, 9, 30, tzinfo=UTC)])
