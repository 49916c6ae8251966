"""The manifest cache of one process: what `ports.ManifestCache` means, without a server."""


class MemoryManifestCache:
    """Keeps the latest document of each bundle as long as the object lives; shared by whoever holds the object."""

    def __init__(self) -> None:
        self._bodies: dict[str, bytes] = {}

    async def load(self, bundle_id: str) -> bytes | None:
        """Return the manifest document last stored for the bundle."""
        return self._bodies.get(bundle_id)

    async def store(self, bundle_id: str, body: bytes) -> None:
        """Keep an adopted manifest document."""
        self._bodies[bundle_id] = body
