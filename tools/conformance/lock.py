"""Writes package-lock.json anew from package.json, with hashes and without any address, so that any registry serves it.

Run it after a change of package.json: `tools/conformance/lock.py`. The lock is checked by `npm ci`.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
UNUSED = ("funding", "license", "resolved")
"""Members that npm does not need to install, and that name hosts or say nothing."""


def without_addresses(lock: dict[str, Any]) -> dict[str, Any]:
    """Return a lock document with the members that hold addresses left out."""
    packages = {
        path: {key: value for key, value in package.items() if key not in UNUSED}
        for path, package in lock["packages"].items()
    }
    return {**lock, "packages": packages}


def main() -> int:
    """Let npm write the lock, then take the addresses out of it."""
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not installed (Debian package: npm).", file=sys.stderr)
        return 2
    flags = ["--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved", "--no-audit", "--no-fund"]
    subprocess.run([npm, "install", *flags, *sys.argv[1:]], cwd=HERE, check=True)
    file = HERE / "package-lock.json"
    text = json.dumps(without_addresses(json.loads(file.read_text(encoding="utf-8"))), indent=2)
    if "://" in text:
        print("the lock still names an address", file=sys.stderr)
        return 1
    file.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
