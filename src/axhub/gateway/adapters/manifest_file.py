"""Manifests from files of this machine: the local fallback and the local fixture (gateway/G8, gateway/C3)."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from axhub.gateway.ports import Pulled, PullFailure


class FileManifestSource:
    """Reads the file of a bundle anew on each pull, in a thread; a file is never "not modified"."""

    def __init__(self, paths: Mapping[str, Path], *, max_bytes: int) -> None:
        self._paths = paths
        self._max_bytes = max_bytes

    async def pull(self, bundle_id: str, if_none_match: str | None) -> Pulled:  # noqa: ARG002 - files have no ETag
        """Return the bytes of the bundle's file, up to `max_bytes`."""
        return await asyncio.to_thread(read_manifest, self._paths[bundle_id], self._max_bytes)


def read_manifest(path: Path, max_bytes: int) -> Pulled:
    """Read one file; what cannot be read counts as not reachable."""
    try:
        with path.open("rb") as file:
            body = file.read(max_bytes + 1)
    except OSError as error:
        return Pulled(failure=PullFailure.CONNECT_FAILED, detail=f"cannot read {path}: {error.strerror}")
    if len(body) > max_bytes:
        return Pulled(failure=PullFailure.TOO_LARGE, detail=f"{path} is longer than {max_bytes} bytes")
    return Pulled(body=body)
