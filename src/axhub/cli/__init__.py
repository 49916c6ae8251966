"""The command line, `axhub …`: one file a command group, each thin."""
