"""Runs the rules over the facts, stage by stage, and decides what counts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from axhub.toolkit.check.render import rendered
from axhub.toolkit.check.report import Result, RuleFault
from axhub.toolkit.facts.service import Allowance, Allowed, Facts
from axhub.toolkit.rules.checking import AFTER_ALL
from axhub.toolkit.rules.model import Breach, Rule, Severity, Stage

__all__ = ["MANIFEST", "Judged", "judge"]

MANIFEST: Final = "TK805"
"""The rule that needs the manifest; what goes wrong while it is rendered is reported under its name."""
_LAST: Final = frozenset(rule.id for rule in AFTER_ALL)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules say about some facts."""

    results: tuple[Result, ...]
    """What counts."""
    allowed: tuple[Result, ...]
    """What comments allow."""
    faults: tuple[RuleFault, ...]


def judge(facts: Facts, rules: Sequence[Rule], manifest: Callable[[Facts], bytes | None] | None = None) -> Judged:
    """Decide every rule.

    Args:
        facts: all that is known.
        rules: each is decided by itself; one that fails leaves the others alone.
        manifest: renders the manifest. It is asked once nothing else stands against it, and the rules about the whole
            service then look once more.
    """
    run = _Run({rule.id: rule for rule in rules}, facts)
    service = [rule for rule in rules if rule.stage is Stage.SERVICE]
    run.decide([rule for rule in rules if rule.stage is not Stage.SERVICE and rule.id not in _LAST], facts)
    run.decide(service, facts)
    if manifest is not None and not run.stopped:
        run.decide(service, replace(facts, manifest=run.render(manifest)))
    run.decide([rule for rule in rules if rule.id in _LAST], replace(facts, allowances=run.allowances()))
    return Judged(tuple(sorted(run.results, key=_order)), tuple(sorted(run.allowed, key=_order)), tuple(run.faults))


@dataclass
class _Run:
    """One pass over all rules."""

    rules: Mapping[str, Rule]
    facts: Facts
    results: list[Result] = field(default_factory=list)
    allowed: list[Result] = field(default_factory=list)
    faults: list[RuleFault] = field(default_factory=list)
    _seen: set[object] = field(default_factory=set)
    _used: set[tuple[Allowance, str]] = field(default_factory=set)

    @property
    def stopped(self) -> bool:
        """Whether an error or a fault stands."""
        return bool(self.faults) or any(result.severity is Severity.ERROR for result in self.results)

    def decide(self, rules: Iterable[Rule], facts: Facts) -> None:
        for rule in rules:
            try:
                results = [self._result(rule, breach) for breach in rule.check(facts)]
            except Exception as error:  # noqa: BLE001 - whatever a rule does, the others are heard
                self._fault(rule.id, error)
                continue
            for result in results:
                self._add(result)

    def render(self, manifest: Callable[[Facts], bytes | None]) -> bytes | None:
        try:
            return manifest(self.facts)
        except Exception as error:  # noqa: BLE001 - reported as any rule that fails
            self._fault(MANIFEST, error)
            return None

    def allowances(self) -> tuple[Allowance, ...]:
        """Return the allowances with what became of each id; of a rule that was not decided nothing is said."""
        return tuple(
            replace(one, outcome={id_: outcome for id_ in one.rules if (outcome := self._outcome(one, id_))})
            for one in self.facts.allowances
        )

    def _outcome(self, one: Allowance, id_: str) -> Allowed | None:
        rule = self.rules.get(id_)
        if rule is None:
            return Allowed.UNKNOWN
        if not rule.suppressible:
            return Allowed.REFUSED
        if (one, id_) in self._used:
            return Allowed.USED
        undecided = rule.stage is not Stage.SOURCE and self.facts.imported is None
        return None if undecided or any(fault.rule == id_ for fault in self.faults) else Allowed.UNUSED

    def _result(self, rule: Rule, breach: Breach) -> Result:
        severity = breach.severity or rule.severity
        draft = severity is Severity.ERROR and self.facts.is_draft(breach.tool)
        return Result(rule, breach, Severity.WARNING if draft else severity, rendered(rule, breach), draft)

    def _add(self, result: Result) -> None:
        breach = result.breach
        identity = (result.rule.id, breach.place, breach.variant, tuple(sorted(breach.values.items())))
        if identity in self._seen:
            return
        self._seen.add(identity)
        reason = self._reason(result)
        if reason:
            self.allowed.append(replace(result, reason=reason))
        else:
            self.results.append(result)

    def _reason(self, result: Result) -> str:
        """Return why a comment allows it, empty if none does."""
        place = result.breach.place
        for one in self.facts.allowances:
            covers = one.place.file == place.file and one.first <= max(place.line, 1) <= one.last
            if covers and result.rule.id in one.rules and one.reason and result.rule.suppressible:
                self._used.add((one, result.rule.id))
                return one.reason
        return ""

    def _fault(self, rule: str, error: Exception) -> None:
        found = RuleFault(rule, f"{type(error).__name__}: {error}")
        if found not in self.faults:
            self.faults.append(found)


def _order(result: Result) -> tuple[object, ...]:
    """Exact rules first, then from place to place."""
    place = result.breach.place
    return (result.rule.heuristic, place.file, place.line, place.column, result.rule.id, result.breach.variant)
