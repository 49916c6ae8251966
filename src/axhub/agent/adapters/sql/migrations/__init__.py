"""The schema of the agent's tables, step by step (ops/O7); packaged, so that an application migrates when it starts."""

from axhub.agent.adapters.sql.migrations.upgrading import VERSION_TABLE, upgrade

__all__ = ["VERSION_TABLE", "upgrade"]
