"""The page for approvers in a real browser, with scripts and without: hostile text is text, what is pressed happens."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from order_service.adapters.http.serving import Services
from order_service.ports.approvals import Approval, Approvals
from support import chromium
from support.order_shop import Shop, shop_at

HOSTILE: Final = {
    "note": "</pre><script>alert(1)</script><img src=x onerror=alert(2)><b>ORD-1</b>",
    "order_id": "ORD-100",
    "to": "\u202egnp.txt \u200bhidden",
    "words": "\u05d0\u05d1\u05d2 123 \u05d3\u05d4\u05d5",
}
SHOWN: Final = (
    "{\n"
    '  "note": "</pre><script>alert(1)</script><img src=x onerror=alert(2)><b>ORD-1</b>",\n'
    '  "order_id": "ORD-100",\n'
    '  "to": "[U+202E]gnp.txt [U+200B]hidden",\n'
    '  "words": "\u05d0\u05d1\u05d2 123 \u05d3\u05d4\u05d5"\n'
    "}"
)
ORDERED: Final = """
(() => {
  const walk = document.createTreeWalker(document.querySelector("pre"), NodeFilter.SHOW_TEXT), places = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode())
    for (let at = 0; at < node.length; at++) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const box = range.getBoundingClientRect();
      if (box.width) places.push([box.top, box.left]);
    }
  return places.every(([top, left], at) => !at || top > places[at - 1][0] + 1 || left > places[at - 1][1]);
})()
"""
"""Whether all letters of the arguments stand from left to right and from top to bottom, in their own order."""


class WithHostile:
    """The service's own approvals, and one before them whose arguments no tool of ours would take."""

    def __init__(self, inner: Approvals) -> None:
        self._inner = inner
        self.decide = inner.decide
        self.unknown_calls = inner.unknown_calls

    async def pending(self, actor: Any, most: int = 100) -> tuple[Approval, ...]:
        hostile = Approval(
            id="hostile",
            run_id="r",
            tool="refund_order",
            requester="<u>minji\u202e",
            expires_at="2026-12-01",
            state="WAITING",
            arguments=HOSTILE,
        )
        return hostile, *await self._inner.pending(actor, most)


def with_hostile(services: Services) -> Services:
    return replace(services, approvals=WithHostile(services.approvals))  # type: ignore[arg-type]  # nothing else is asked


async def signed_in(page: chromium.Page, shop: Shop, who: str = "boram") -> None:
    await page.open(f"http://127.0.0.1:{shop.port}/approvals")
    await page.write("textarea", shop.token(who))
    await page.press("form button")


@chromium.NEEDED
@pytest.mark.req("agent/R5", "threat/T30", "input/B95")
@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no_scripts"])
async def test_a_person_reads_what_will_happen_and_lets_it_happen(tmp_path: Path, has_scripts: bool) -> None:
    async with shop_at(tmp_path, with_hostile) as shop, chromium.chromium(tmp_path, has_scripts=has_scripts) as page:
        run = (await shop.chat("ORD-100 환불해 주세요")).json["runId"]
        await signed_in(page, shop)
        text = await page.text()
        assert "Signed in as: boram" in text
        assert "Asked for by: <u>minji[U+202E]" in text
        assert await page.look("document.querySelector('pre').innerText") == SHOWN
        assert await page.look("document.querySelectorAll('script, img, b, u').length") == 0
        assert await page.look(ORDERED) is True
        await page.write("article:last-of-type input[name=comment]", "ok")
        await page.press("article:last-of-type button[value=approve]")
        assert "Approved." in await page.text()
        assert await page.look("document.querySelectorAll('article').length") == 1
        assert (await shop.ended(run))["status"] == "answered"
        found = await shop.call("GET", "/api/v1/orders?status=REFUNDED", "minji")
        assert [one["orderId"] for one in found.json["orders"]] == ["ORD-100"]
        await page.press("header button")
        assert "Signed out." in await page.text()
        assert page.dialogs == []


@chromium.NEEDED
@pytest.mark.req("agent/L6", "agent/R5")
@pytest.mark.parametrize("has_scripts", [True, False], ids=["scripts", "no_scripts"])
@pytest.mark.parametrize(
    ("button", "said"),
    [("happened", "Recorded: it was done."), ("did_not_happen", "Recorded: it was not done.")],
)
async def test_a_person_says_what_became_of_a_call(tmp_path: Path, has_scripts: bool, button: str, said: str) -> None:
    async with shop_at(tmp_path) as shop, chromium.chromium(tmp_path, has_scripts=has_scripts) as page:
        call = await shop.lost()
        await signed_in(page, shop)
        text = await page.text()
        assert "It is not known whether these were done." in text
        assert f"Call: {call}" in text
        await page.press(f"section button[value={button}]")
        assert said in await page.text()
        assert await page.look("document.querySelectorAll('section').length") == 0
        against = {"happened": "did_not_happen", "did_not_happen": "happened"}[button]
        answer = await shop.call("POST", f"/api/v1/unknown-calls/{call}/finding", "boram", {"finding": against})
        assert answer.problem == (409, "already_decided")


@chromium.NEEDED
@pytest.mark.req("agent/R5", "threat/T14")
async def test_scripts_do_not_see_who_is_signed_in_and_other_sites_send_no_decision(tmp_path: Path) -> None:
    async with shop_at(tmp_path) as shop, chromium.chromium(tmp_path) as page:
        approval = (await shop.chat("ORD-100 환불해 주세요")).json["approvals"][0]["id"]
        await signed_in(page, shop)
        assert await page.look("document.cookie") == ""
        field = await page.look("document.querySelector('article input[name=csrf]').value")
        decision = f"http://127.0.0.1:{shop.port}/approvals/{approval}/decision"
        await page.open(
            f"data:text/html,<form method=post action={decision}><input name=csrf value={field}>"
            "<button name=decision value=approve>win</button></form>"
        )
        await page.press("button")
        assert "The form is not from this page; load the page again." in await page.text()
        assert len((await shop.call("GET", "/api/v1/approvals", "boram")).json["approvals"]) == 1


@chromium.NEEDED
async def test_a_page_that_runs_a_script_is_noticed(tmp_path: Path) -> None:
    async with chromium.chromium(tmp_path) as page:
        await page.open("data:text/html,<script>document.title = 'ran'</script>")
        assert await page.look("document.title") == "ran"
    (tmp_path / "other").mkdir()
    async with chromium.chromium(tmp_path / "other", has_scripts=False) as page:
        await page.open("data:text/html,<script>document.title = 'ran'</script><p>text")
        assert (await page.look("document.title"), await page.text()) == ("", "text")
