"""The local file: what cannot be read is a value that names the file for the operator."""

from pathlib import Path

import pytest

from axhub.gateway.adapters.manifest_file import read_manifest
from axhub.gateway.ports import Pulled, PullFailure


@pytest.mark.req("gateway/G8", "gateway/C3")
def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    missing = tmp_path / "none.json"
    assert read_manifest(missing, 10) == Pulled(
        failure=PullFailure.CONNECT_FAILED, detail=f"cannot read {missing}: No such file or directory"
    )
    assert read_manifest(tmp_path, 10) == Pulled(
        failure=PullFailure.CONNECT_FAILED, detail=f"cannot read {tmp_path}: Is a directory"
    )


@pytest.mark.req("gateway/G8")
def test_a_file_over_the_bound_is_not_read_further(tmp_path: Path) -> None:
    endless = Path("/dev/zero")
    assert read_manifest(endless, 10) == Pulled(
        failure=PullFailure.TOO_LARGE, detail="/dev/zero is longer than 10 bytes"
    )
