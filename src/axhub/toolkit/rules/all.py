"""All rules in the order of their ids."""

from typing import Final

from axhub.toolkit.rules import (
    adoption,
    agreement,
    api_names,
    behaviour,
    budgets,
    checking,
    choosing,
    configured,
    connectors,
    constants,
    declarations,
    definition_files,
    definitions,
    environment,
    functions,
    interfaces,
    layers,
    name_parts,
    names,
    neighbours,
    outside,
    ownership,
    queries,
    reading,
    released_names,
    telegrams,
    texts,
)
from axhub.toolkit.rules.answers import family as answers
from axhub.toolkit.rules.model import Rule
from axhub.toolkit.rules.schemas import family as schemas

__all__ = ["ALL", "rule_of"]

_FAMILIES: Final[tuple[tuple[Rule, ...], ...]] = (
    adoption.RULES,
    agreement.RULES,
    answers.RULES,
    api_names.RULES,
    behaviour.RULES,
    budgets.RULES,
    checking.RULES,
    choosing.RULES,
    configured.RULES,
    connectors.RULES,
    constants.RULES,
    declarations.RULES,
    definition_files.RULES,
    definitions.RULES,
    environment.RULES,
    functions.RULES,
    interfaces.RULES,
    layers.RULES,
    name_parts.RULES,
    names.RULES,
    neighbours.RULES,
    outside.RULES,
    ownership.RULES,
    queries.RULES,
    reading.RULES,
    released_names.RULES,
    schemas.RULES,
    telegrams.RULES,
    texts.RULES,
)

ALL: Final[tuple[Rule, ...]] = tuple(sorted((rule for rules in _FAMILIES for rule in rules), key=lambda rule: rule.id))


def rule_of(id_: str) -> Rule | None:
    """Return the rule with an id."""
    return next((rule for rule in ALL if rule.id == id_), None)
