"""Every rule that a family has is decided, under one id of its own."""

import pkgutil
import re
from importlib import import_module

from axhub.toolkit import rules
from axhub.toolkit.rules.all import ALL, rule_of
from axhub.toolkit.rules.model import Rule, Severity


def test_every_family_is_in_the_list_of_all_rules() -> None:
    found = pkgutil.walk_packages(rules.__path__, f"{rules.__name__}.")
    families = [import_module(module.name) for module in found]
    listed = {rule.id for family in families for rule in getattr(family, "RULES", ())}
    defined = {value.id for family in families for value in vars(family).values() if isinstance(value, Rule)}
    assert [rule.id for rule in ALL] == sorted(listed | defined)


def test_ids_have_one_form_and_heuristics_only_warn() -> None:
    assert [rule.id for rule in ALL if not re.fullmatch(r"TK[0-9]{3}", rule.id)] == []
    assert [rule.id for rule in ALL if rule.heuristic and rule.severity is not Severity.WARNING] == []


def test_a_rule_is_found_by_its_id() -> None:
    assert rule_of("TK101") is next(rule for rule in ALL if rule.id == "TK101")
    assert rule_of("TK000") is None
