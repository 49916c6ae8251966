"""The statistics of the bench."""

import pytest

from bench.compare import Round, added_latency, marks, middle, ratio, speed_by_cpu, speed_by_rate

ROUND = Round(requests=1000, rate=1000.0, p50=100.0, p99=200.0, cpu=20.0, busy=0.99, resident=30.0, errors=0)


def test_a_ratio_is_the_median_of_the_rounds_ratios_not_the_ratio_of_the_medians() -> None:
    found = ratio([(10, 10), (90, 30), (40, 10)])
    assert found is not None
    assert (found.median, found.low, found.high) == (3, 1, 4)


@pytest.mark.parametrize("pairs", [[], [(0.0, 1.0)], [(1.0, 0.0)]])
def test_without_a_round_that_both_survived_there_is_no_ratio(pairs: list[tuple[float, float]]) -> None:
    assert ratio(pairs) is None


def test_a_round_that_one_side_lost_is_left_out() -> None:
    found = ratio([(0, 10), (20, 10)])
    assert found is not None
    assert found.median == 2


def test_half_the_cpu_time_is_twice_the_speed() -> None:
    found = speed_by_cpu([ROUND._replace(cpu=10)], [ROUND._replace(cpu=20)])
    assert found is not None
    assert found.median == 2


def test_twice_the_requests_a_second_is_twice_the_speed() -> None:
    found = speed_by_rate([ROUND._replace(rate=50)], [ROUND._replace(rate=25)])
    assert found is not None
    assert found.median == 2


def test_only_rounds_that_both_have_are_compared() -> None:
    found = speed_by_cpu([ROUND, ROUND, ROUND._replace(cpu=1)], [ROUND, ROUND])
    assert found is not None
    assert (found.low, found.high) == (1, 1)


def test_added_latency_is_the_median_of_the_rounds_differences() -> None:
    ours = [ROUND._replace(p50=value) for value in (100, 250, 120)]
    theirs = [ROUND._replace(p50=value) for value in (90, 100, 80)]
    assert added_latency(ours, theirs) == 40


def test_added_latency_of_nothing_is_unknown() -> None:
    assert added_latency([], [ROUND]) is None


def test_the_middle_of_a_field_is_its_median() -> None:
    assert middle([ROUND._replace(cpu=value) for value in (1, 9, 2)], "cpu") == 2


def test_a_system_with_errors_is_marked() -> None:
    assert marks([ROUND._replace(errors=2), ROUND._replace(errors=1)], 16) == ["3 errors"]


def test_a_system_whose_core_was_not_busy_is_marked_under_load_only() -> None:
    idle = [ROUND._replace(busy=0.5)]
    assert len(marks(idle, 16)) == 1
    assert marks(idle, 1) == []


def test_a_busy_system_without_errors_has_no_mark() -> None:
    assert marks([ROUND], 16) == []
