"""The text format, version 0.0.4; the parser of Prometheus' official client library is the judge."""

import math
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from axhub.gateway.adapters.exposition import text

TEXT = st.text(st.sampled_from('ab"\\\n{},= #%\t가나') | st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.floats(allow_nan=False) | st.integers(-(2**53), 2**53) | st.booleans()


def parsed(pieces: Iterable[bytes]) -> Metric:
    (family,) = text_string_to_metric_families(b"".join(pieces).decode())
    return family


def test_a_counter_without_labels_is_three_lines() -> None:
    assert b"".join(text.counter("x_total", "What it counts.", [((), 3)])) == (
        b"# HELP x_total What it counts.\n# TYPE x_total counter\nx_total 3\n"
    )


def test_a_histogram_has_cumulative_buckets_the_last_for_all_then_sum_and_count() -> None:
    pieces = text.histogram("x_seconds", "How long.", (0.5, 1, 2.5), [(("a",), [1, 0, 2, 4], 20.5)], ("tool",))
    assert b"".join(pieces).decode().splitlines() == [
        "# HELP x_seconds How long.",
        "# TYPE x_seconds histogram",
        'x_seconds_bucket{tool="a",le="0.5"} 1',
        'x_seconds_bucket{tool="a",le="1.0"} 1',
        'x_seconds_bucket{tool="a",le="2.5"} 3',
        'x_seconds_bucket{tool="a",le="+Inf"} 7',
        'x_seconds_sum{tool="a"} 20.5',
        'x_seconds_count{tool="a"} 7',
    ]


def test_a_family_without_samples_is_its_two_lines_of_comment() -> None:
    assert b"".join(text.gauge("x", "None yet.", [], ("bundle",))) == b"# HELP x None yet.\n# TYPE x gauge\n"


def test_a_help_text_escapes_backslash_and_line_feed_and_leaves_quotes() -> None:
    assert next(text.gauge("x", 'a\\b\nc "d"', [])) == b'# HELP x a\\\\b\\nc "d"\n# TYPE x gauge\n'


def test_a_label_value_escapes_backslash_quote_and_line_feed() -> None:
    assert text.escape('\\"\n청구 %s {}') == '\\\\\\"\\n청구 %s {}'


def test_half_a_surrogate_pair_becomes_a_question_mark_and_not_an_error() -> None:
    assert b"".join(text.gauge("x", "-", [(("a\ud800",), 1)], ("name",))).endswith(b'\nx{name="a?"} 1\n')


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "1"),
        (False, "0"),
        (10**30, "1" + "0" * 30),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e16, "1e+16"),
        (5e-324, "5e-324"),
        (-0.0, "-0.0"),
        (math.inf, "+Inf"),
        (-math.inf, "-Inf"),
        (math.nan, "NaN"),
    ],
)
def test_a_number_is_written_without_loss(value: float, shown: str) -> None:
    assert text.number(value) == shown


@given(st.lists(st.tuples(st.tuples(TEXT, TEXT), NUMBERS), max_size=5), TEXT)
def test_every_label_value_and_number_of_a_gauge_is_read_back(
    samples: list[tuple[tuple[str, str], float]], meaning: str
) -> None:
    family = parsed(text.gauge("x", meaning, samples, ("first", "second")))
    assert family.type == "gauge"
    assert [((read.labels["first"], read.labels["second"]), read.value) for read in family.samples] == samples


@given(st.lists(st.tuples(st.tuples(TEXT, TEXT), st.lists(st.integers(0, 2**40), min_size=4, max_size=4), NUMBERS)))
def test_every_histogram_is_read_back(samples: list[tuple[tuple[str, str], list[int], float]]) -> None:
    family = parsed(text.histogram("x", "-", (0.1, 2.0, 30.0), samples, ("first", "second")))
    assert family.type == "histogram"
    expected = [
        (f"x_{kind}", {"first": values[0], "second": values[1], **bound}, number)
        for values, buckets, total in samples
        for kind, bound, number in (
            *(("bucket", {"le": le}, sum(buckets[: place + 1])) for place, le in enumerate(("0.1", "2.0", "30.0"))),
            ("bucket", {"le": "+Inf"}, sum(buckets)),
            ("sum", {}, total),
            ("count", {}, sum(buckets)),
        )
    ]
    assert [(read.name, read.labels, read.value) for read in family.samples] == expected


def test_a_histogram_with_a_bucket_too_few_is_refused() -> None:
    with pytest.raises(TypeError):
        list(text.histogram("x", "-", (0.1, 2.0), [(("a",), [1, 2], 1.0)], ("tool",)))
