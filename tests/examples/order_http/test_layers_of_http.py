"""The HTTP adapter knows the service's use cases and ports, and neither axhub nor another adapter (agent/A2)."""

import pytest

from support import tree

ADAPTER = "examples/order_service/src/order_service/adapters/http"
ALLOWED = ("order_service.adapters.http", "order_service.domain", "order_service.ports", "order_service.usecases")


@pytest.mark.req("agent/A2")
def test_the_adapter_imports_nothing_behind_the_use_cases() -> None:
    files = [path for path in tree.python_files("examples") if tree.shown(path).startswith(ADAPTER)]
    outside = {
        f"{tree.shown(path)}: {module}"
        for path in files
        for module, _name, _line in tree.imported_names(path)
        if module.startswith(("axhub", "order_service", "sqlalchemy", "pydantic_ai", "jwt"))
        and not module.startswith(ALLOWED)
    }
    assert len(files) > 10
    assert outside == set()
