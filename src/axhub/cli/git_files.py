"""A file as it is at a commit, read through git without touching the work tree."""

import os
import subprocess
from pathlib import Path
from typing import Final

from axhub.toolkit.rules.model import SaidError, Text

__all__ = ["NoFileError", "file_at"]

_PATIENCE: Final = 30
"""Seconds; a clone that lacks the file may have to fetch it."""


class NoFileError(SaidError):
    """There is no such file at a commit; `text` says why."""


def file_at(folder: Path, name: str, ref: str) -> bytes:
    """Return a file of a folder as it is at a commit.

    Args:
        folder: anywhere in a work tree.
        name: of a file right in it.
        ref: a branch, a tag, a commit.

    Raises:
        NoFileError: no git, no repository, no such commit, no such file there.
    """
    if _run(folder, "rev-parse", "--is-inside-work-tree").returncode:
        raise NoFileError(
            Text(
                f'"{ref}" is no file, and {folder} is not in a git repository',
                f'"{ref}" 파일이 없고, {folder} 폴더는 git 저장소가 아닙니다',
            )
        )
    found = None if ref.startswith("-") else _run(folder, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    if found is None or found.returncode:
        raise NoFileError(
            Text(
                f'"{ref}" is neither a file nor a branch, tag or commit of this repository; after a shallow clone, '
                "fetch it first",
                f'"{ref}": 그런 파일도, 이 저장소의 브랜치, 태그, 커밋도 없습니다. 얕은 복제라면 먼저 가져오십시오',
            )
        )
    commit = found.stdout.decode().strip()
    content = _run(folder, "cat-file", "blob", f"{commit}:./{name}")
    if content.returncode:
        raise NoFileError(
            Text(
                f"{ref} has no {name} in {folder}: nothing was released there",
                f"{ref}: {folder} 폴더에 {name} 파일이 없습니다. 배포한 것이 없습니다",
            )
        )
    return content.stdout


def _run(folder: Path, *words: str) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603 - no shell; the only word of others is a commit, and never an option
            ["git", "-C", str(folder), *words],  # noqa: S607 - the git of whoever types the command
            capture_output=True,
            check=False,
            timeout=_PATIENCE,
            env={**os.environ, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"},
        )
    except FileNotFoundError:
        raise NoFileError(
            Text(
                "git is not installed, and without it only a file can be compared with",
                "git이 설치되어 있지 않습니다. git 없이는 파일과만 비교할 수 있습니다",
            )
        ) from None
    except subprocess.TimeoutExpired:
        raise NoFileError(
            Text(f"git has not answered within {_PATIENCE} seconds", f"git이 {_PATIENCE}초 안에 응답하지 않았습니다")
        ) from None
