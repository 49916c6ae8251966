"""Tools that end as they like."""

import asyncio
import sys
import time
from typing import Annotated

from axhub.toolkit import Desc, Output, tool


class Done(Output):
    done: Annotated[bool, Desc("끝났으면 true")] = True


class Vault:
    """Stands for an adapter that is opened and closed."""


@tool(name="odd_stuck", title="멈춤", description="취소를 무시합니다.", category_key="odd")
async def stuck(vault: Vault) -> Done:
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            continue


@tool(name="odd_blocking", title="막기", description="이벤트 루프를 막습니다.", category_key="odd")
async def blocking() -> Done:
    sys.stderr.write('{"event":"blocking"}\n')  # for the test that waits for it
    sys.stderr.flush()
    while True:
        time.sleep(0.05)  # noqa: ASYNC251 - what the tests are about


@tool(name="odd_long", title="오래 걸림", description="오래 걸립니다.", category_key="odd")
async def long() -> Done:
    await asyncio.sleep(60)
    return Done()
