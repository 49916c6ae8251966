"""How the bench reads `/proc` and shares out the cores."""

import os

import pytest

from bench.processes import (
    Cores,
    choose_cores,
    cpu_seconds,
    descendants,
    machine,
    parse_resident,
    parse_stat,
    parse_steal,
    pinned,
    process_tree,
    resident_megabytes,
    stolen_seconds,
)

STAT = "4711 (a (strange) name) S 42 4711 4711 0 -1 4194560 1200 0 0 0 150 50 3 4 20 0 2 0 1000 0 0"
STATUS = "Name:\tpython\nVmPeak:\t  90000 kB\nVmRSS:\t  31250 kB\nThreads:\t2\n"


def test_a_stat_line_gives_parent_and_own_ticks_whatever_the_command_is_called() -> None:
    assert parse_stat(STAT) == (42, 200)


def test_resident_memory_is_read_in_kilobytes() -> None:
    assert parse_resident(STATUS) == 31250


def test_a_process_without_memory_counts_as_none() -> None:
    assert parse_resident("Name:\tkthreadd\n") == 0


def test_stolen_ticks_are_those_of_all_cores() -> None:
    assert parse_steal("cpu  1 2 3 4 5 6 7 88 9 10\ncpu0 1 2 3 4 5 6 7 44 9 10\n") == 88


def test_descendants_are_found_at_every_depth() -> None:
    assert descendants(1, {2: 1, 3: 2, 4: 1, 9: 8}) == [1, 2, 4, 3]


def test_a_process_is_its_own_tree() -> None:
    assert descendants(7, {2: 1}) == [7]


@pytest.mark.parametrize(
    ("usable", "cores"),
    [
        ({0}, Cores(load=0, upstream=0, sut=0)),
        ({0, 1}, Cores(load=0, upstream=0, sut=1)),
        ({2, 5, 7, 9}, Cores(load=2, upstream=5, sut=9)),
    ],
)
def test_the_system_under_test_has_a_core_of_its_own_if_there_is_one(usable: set[int], cores: Cores) -> None:
    assert choose_cores(usable) == cores


def test_a_pinned_thread_is_free_again_afterwards() -> None:
    before = os.sched_getaffinity(0)
    with pinned(min(before)):
        assert os.sched_getaffinity(0) == {min(before)}
    assert os.sched_getaffinity(0) == before


def test_this_process_can_be_read() -> None:
    pids = process_tree(os.getpid())
    assert pids[0] == os.getpid()
    assert cpu_seconds(pids) > 0
    assert 1 < resident_megabytes(pids) < 10_000
    assert stolen_seconds() >= 0


def test_a_process_that_has_ended_counts_as_nothing() -> None:
    gone = 2**22 + 1
    assert cpu_seconds([gone]) == 0
    assert resident_megabytes([gone]) == 0


def test_a_machine_is_described_by_its_class_and_not_by_its_name() -> None:
    found = machine()
    assert set(found) == {"cores", "cpu", "virtual", "memoryGB", "kernel", "python"}
    assert os.uname().nodename not in found.values()
