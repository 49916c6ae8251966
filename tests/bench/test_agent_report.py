"""The report of the agents: ratios round by round, goals, and what was not run."""

from bench.agent_report import KNOWN, NEW, OURS, Agents, Alone, Decisions
from bench.report import goals_text

DECISIONS = Decisions(
    10_000,
    [{"decision": 1000.0, "goingOn": 4000.0}, {"decision": 2000.0, "goingOn": 4000.0}],
    [{"decision": 1000.0, "goingOn": 8000.0}, {"decision": 2500.0, "goingOn": 4000.0}],
)
FOUND = Agents(
    micros={
        OURS: {NEW: [4000.0, 5000.0], KNOWN: [5000.0, 5000.0]},
        "langchain": {NEW: [8000.0, 20000.0], KNOWN: [10000.0, 5000.0]},
    },
    counts={OURS: {NEW: 3, KNOWN: 4}, "langchain": {NEW: 10, KNOWN: 11}},
    missing={"pydantic-ai": "its environment is not installed"},
    alone=Alone(DECISIONS, (1_000, 10_000), [70.0, 70.25]),
)
NOTHING = Agents({}, {}, {OURS: "it ended with exit code 1"}, Alone(None, (1_000, 10_000), None))


def test_turns_are_compared_round_by_round() -> None:
    lines = FOUND.text().splitlines()
    assert lines[4:7] == [
        "| axhub       |    4.50 | 4.00..5.00 |            3 |       5.00 | 5.00..5.00 |            4 |",
        "| langchain   |    14.0 | 8.00..20.0 |           10 |       7.50 | 5.00..10.0 |           11 |",
        "| pydantic-ai | not run |    not run |      not run |    not run |    not run |      not run |",
    ]
    assert "| axhub / langchain | 3.00x | 2.00..4.00 |   1.50x | 1.00..2.00 |" in lines
    assert lines[-1] == "pydantic-ai was not run: its environment is not installed"


def test_decisions_and_memory_are_told() -> None:
    text = FOUND.text()
    assert "| 10,000  |        1.75 | 1.00..2.50 |        6.00 | 4.00..8.00 |\n" in text
    assert "| ratio   |       1.12x | 1.00..1.25 |       1.50x | 1.00..2.00 |\n" in text
    assert "turns in conversations of their own: 70.0 MB after 1,000, 70.2 MB after 10,000.\n" in text


def test_the_goals_are_bounds_and_being_no_slower_than_the_others() -> None:
    assert [(one.goal.name, one.value, one.verdict) for one in FOUND.goals()] == [
        ("CPU of a turn with a tool, a new conversation", 4.5, "reached"),
        ("a new conversation against pydantic-ai", None, "not measured: axhub or pydantic-ai was not run"),
        ("a new conversation against langchain", 3.0, "as aimed at"),
        ("transactions of a turn, a new conversation", 3, "as aimed at"),
        ("CPU of a turn with a tool, turn 21", 5.0, "reached"),
        ("turn 21 against pydantic-ai", None, "not measured: axhub or pydantic-ai was not run"),
        ("turn 21 against langchain", 1.5, "reached"),
        ("transactions of a turn, turn 21", 4, "reached"),
        ("a decision with 10,000 waiting to one with none", 1.125, "reached"),
        ("a decided run that goes on, likewise", 1.5, "reached"),
        ("memory gained from 1,000 to 10,000 turns", 0.25, "as aimed at"),
    ]


def test_nothing_is_measured_of_an_agent_that_is_not_run() -> None:
    assert {one.verdict for one in NOTHING.goals()} <= {
        "not measured: axhub was not run",
        "not measured: axhub or pydantic-ai was not run",
        "not measured: axhub or langchain was not run",
    }
    assert NOTHING.broken
    assert "axhub was not run: it ended with exit code 1" in NOTHING.text()


def test_what_of_ours_is_missing_breaks_the_run_and_says_why() -> None:
    found = FOUND._replace(alone=Alone(None, (1_000, 10_000), None, "it ended with exit code 1"))
    assert found.broken
    assert goals_text(found.goals()).count("not measured: it ended with exit code 1") == 3


def test_the_document_has_every_round() -> None:
    assert FOUND.document() == {
        "agents": {
            OURS: {
                "newCpuMicros": [4000.0, 5000.0],
                "knownCpuMicros": [5000.0, 5000.0],
                "transactions": {NEW: 3, KNOWN: 4},
            },
            "langchain": {
                "newCpuMicros": [8000.0, 20000.0],
                "knownCpuMicros": [10000.0, 5000.0],
                "transactions": {NEW: 10, KNOWN: 11},
            },
        },
        "notRun": {"pydantic-ai": "its environment is not installed"},
        "alone": {
            "decisionCpuMicrosByWaiting": {"0": DECISIONS.none, "10000": DECISIONS.many},
            "residentMBByTurns": {"1000": 70.0, "10000": 70.25},
            "problem": "",
        },
    }
