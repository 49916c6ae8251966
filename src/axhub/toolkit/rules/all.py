"""All rules in the order of their ids."""

from typing import Final

from axhub.toolkit.rules import (
    adoption,
    agreement,
    api_names,
    behaviour,
    budgets,
    checking,
    configured,
    connectors,
    constants,
    declarations,
    definition_files,
    definitions,
    environment,
    functions,
    layers,
    name_parts,
    names,
    neighbours,
    outside,
    ownership,
    queries,
    reading,
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
    configured.RULES,
    connectors.RULES,
    constants.RULES,
    declarations.RULES,
    definition_files.RULES,
    definitions.RULES,
    environment.RULES,
    functions.RULES,
    layers.RULES,
    name_parts.RULES,
    names.RULES,
    neighbours.RULES,
    outside.RULES,
    ownership.RULES,
    queries.RULES,
    reading.RULES,
    schemas.RULES,
    texts.RULES,
)

ALL: Final[tuple[Rule, ...]] = tuple(sorted((rule for rules in _FAMILIES for rule in rules), key=lambda rule: rule.id))


def rule_of(id_: str) -> Rule | None:
    """Return the rule with an id."""
    return next((rule for rule in ALL if rule.id == id_), None)
