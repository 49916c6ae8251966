"""Open files shared out between callers, calls and ourselves (fault/F27)."""

import resource

import pytest

from axhub.gateway.main.open_files import Room, make_room, share


@pytest.mark.parametrize(
    ("connections", "calls", "limit", "room"),
    [
        (4096, 65, 1 << 20, Room(connections=4096, turned_away=256, limit=1 << 20, needed=4481)),
        (4096, 65, 4481, Room(connections=4096, turned_away=256, limit=4481, needed=4481)),
        (4096, 65, 4480, Room(connections=4095, turned_away=256, limit=4480, needed=4481)),
        (4096, 65, 1024, Room(connections=767, turned_away=128, limit=1024, needed=4481)),
        (4096, 65, 256, Room(connections=95, turned_away=32, limit=256, needed=4481)),
        (10, 0, 256, Room(connections=10, turned_away=32, limit=256, needed=330)),
        (4096, 512, 256, Room(connections=1, turned_away=32, limit=256, needed=4928)),
    ],
)
@pytest.mark.req("fault/F27")
def test_ours_come_first_then_the_calls_and_the_callers_get_the_rest(
    connections: int, calls: int, limit: int, room: Room
) -> None:
    assert share(connections, calls, limit) == room


@pytest.mark.req("fault/F27")
def test_the_soft_limit_is_raised_as_far_as_is_wanted_and_allowed() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
        assert make_room(100, 10).limit == 512  # enough already
        assert make_room(600, 10).limit == 930
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (930, hard)
        assert make_room(10_000_000, 10).limit == min(hard, 1 << 20)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
