"""What `axhub service support.odd_tools` serves; `ODD_VAULT` says how its adapter behaves."""

import asyncio
import os
from typing import Self

from axhub.toolkit import ToolService
from support.odd_tools.biz.odd.usecase import Vault

_BEHAVES = os.environ.get("ODD_VAULT", "")


class OpenVault(Vault):
    async def __aenter__(self) -> Self:
        if _BEHAVES == "shut":
            raise RuntimeError("postgres://user:s3cr3t@db")
        return self

    async def __aexit__(self, *_: object) -> None:
        if _BEHAVES == "hanging":
            await asyncio.sleep(600)
        if _BEHAVES == "broken":
            raise RuntimeError("postgres://user:s3cr3t@db")


app = ToolService("support.odd_tools", provide={Vault: OpenVault})
