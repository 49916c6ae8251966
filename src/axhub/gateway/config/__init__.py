"""Configuration of the gateway: YAML, environment and flags in, frozen settings or one message about every fault out.

`load` is the way in. A file goes through `axhub.configuration` (YAML with places, one entry a key, environment over
file, `${ENV:default}` and types, by the table in `keys`), then through `rules` (what holds between keys) and `build`,
and ends as `settings`.
"""

from axhub.configuration.faults import ConfigError
from axhub.gateway.config.loading import Loaded, load
from axhub.gateway.config.settings import Settings

__all__ = ["ConfigError", "Loaded", "Settings", "load"]
