"""What `axhub explain` shows about rules."""

from collections.abc import Iterator, Sequence
from textwrap import indent

from axhub.toolkit.check.report import Language
from axhub.toolkit.check.wording import WORDS
from axhub.toolkit.rules.model import Rule

__all__ = ["blank", "by_problem", "explained", "listed"]


def blank(template: str) -> str:
    """Return a message as it is before anything is filled in: `{name}` stays, and of `{name_ko}` too."""
    return template.format_map(_Blanks())


def by_problem(rule: Rule, language: Language) -> dict[str, list[str]]:
    """Return what a rule says, each problem once with all ways to mend it; values are left blank."""
    found: dict[str, list[str]] = {}
    for message in rule.messages.values():
        mends = found.setdefault(blank(message.problem.said(language)), [])
        mend = blank(message.mend.said(language))
        if mend not in mends:
            mends.append(mend)
    return found


def explained(rule: Rule, language: Language = "en") -> Iterator[str]:
    """Yield the lines about one rule: what must hold, why, what its messages are, and how to do it right."""
    words = WORDS[language]
    yield f"{rule.id} ({words[rule.severity.value]}): {rule.title.said(language)}"
    yield ""
    yield rule.why.said(language)
    yield words["heuristic" if rule.heuristic else "exact"]
    yield ""
    yield f"{words['says']}:"
    for problem, mends in by_problem(rule, language).items():
        yield f"  {problem}"
        yield from (f"      {words['fix']}: {mend}" for mend in mends)
    for key, sample in (("bad", rule.bad), ("good", rule.good)):
        if sample:
            yield ""
            yield f"{words[key]}:"
            yield indent(sample.strip("\n"), "    ")
    yield ""
    yield words["allow" if rule.suppressible else "never"].format(id=rule.id)


def listed(rules: Sequence[Rule], language: Language = "en") -> Iterator[str]:
    """Yield one line a rule."""
    words = WORDS[language]
    wide = max((len(words[rule.severity.value]) for rule in rules), default=0)
    for rule in rules:
        yield f"{rule.id}  {words[rule.severity.value]:<{wide}}  {rule.title.said(language)}"


class _Blanks(dict[str, str]):
    def __missing__(self, key: str) -> str:
        name = key.removesuffix("_ko")  # a value's Korean words have a name of their own, and mean the same
        return f"{{{name}}}"
