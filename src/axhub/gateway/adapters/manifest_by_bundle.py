"""Manifests from several sources: which one is asked follows from the bundle."""

from collections.abc import Mapping

from axhub.gateway.ports import ManifestSource, Pulled


class ManifestsByBundle:
    """A `ManifestSource` over others."""

    def __init__(self, rest: ManifestSource, special: Mapping[str, ManifestSource]) -> None:
        """`special` names the bundles that are not pulled from `rest`."""
        self._rest = rest
        self._special = special

    async def pull(self, bundle_id: str, if_none_match: str | None) -> Pulled:
        """Ask the bundle's own source."""
        return await self._special.get(bundle_id, self._rest).pull(bundle_id, if_none_match)
