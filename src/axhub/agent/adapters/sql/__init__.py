"""Runs, approvals, audit, outbox and idempotency in SQLite or PostgreSQL, by SQLAlchemy's Core."""
