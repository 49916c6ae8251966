"""Installs each peer into an environment of its own, with plain pip from hash-pinned requirements.

The bench does this first. A peer that cannot be installed is said on standard error and printed as not run.
"""

import subprocess
import sys
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.suts import HERE, PEERS, requirements, stamp_text


def install(peer: str) -> None:
    """Make the environment of a peer unless it is there already.

    Raises:
        OSError, subprocess.CalledProcessError: it could not be made.
    """
    folder = PEERS / peer
    stamp = folder / "installed"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == stamp_text(peer):
        return
    print(f"installing {peer} into {folder.relative_to(HERE.parent)}")
    venv.create(folder, with_pip=True, clear=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--require-hashes"]
    subprocess.run([*pip, "--requirement", str(requirements(peer))], check=True)
    stamp.write_text(stamp_text(peer), encoding="utf-8")


def install_all() -> None:
    """Install every peer that has a requirements file; say which could not be."""
    for file in sorted((HERE / "requirements").glob("*.txt")):
        try:
            install(file.stem)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"{file.stem} is not installed and will not be measured: {error}", file=sys.stderr)


if __name__ == "__main__":
    install_all()
