"""Systems that are reached over HTTP, one folder for each API of the configuration."""
