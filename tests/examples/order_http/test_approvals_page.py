"""The page for people: forms only, for signed-in approvers only, and what they read is what will happen."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from order_service.ports.approvals import Approval, UnknownCall
from support.forms import Browser, Page
from support.order_shop import Shop, shop_at

COOKIE = "order-approvals"
NASTY = {
    "order_id": "ORD-100",
    "note": '</pre><script>alert(1)</script><img src=x onerror="alert(2)">',
    "to": "\u202e\u2066gnp.txt\u2069 \u200bhidden\u3164\ufe0f\u00a0\x1b[2J \U000e0041",
    "lines": 'a\n"decision": "approve"',
}


async def signed_in(shop: Shop, who: str = "boram", language: str = "en") -> tuple[Browser, Page]:
    browser = Browser(shop.port, language)
    (form,) = (await browser.get("/approvals")).forms
    return browser, await browser.send(form, token=shop.token(who))


async def test_the_page_begins_with_a_form_for_a_token(shop: Shop) -> None:
    browser = Browser(shop.port)
    page = await browser.get("/approvals")
    (form,) = page.forms
    assert (page.status, form.method, form.action, sorted(form.fields)) == (
        200,
        "post",
        "/approvals/sign-in",
        ["csrf", "token"],
    )


@pytest.mark.req("agent/R5")
@pytest.mark.parametrize(("decision", "state"), [("approve", "REFUNDED"), ("deny", "PAID")])
async def test_a_person_decides_with_forms_alone(shop: Shop, decision: str, state: str) -> None:
    run = (await shop.chat("ORD-100 환불해 주세요")).json["runId"]
    browser, page = await signed_in(shop)
    sign_out, form = page.forms
    assert "Signed in as: boram" in page.text
    assert "Asked for by: minji" in page.text
    assert page.pre == ['{\n  "order_id": "ORD-100"\n}']
    assert form.buttons == [("decision", "approve"), ("decision", "deny")]
    done = await browser.send(form, decision=decision, comment="ok")
    assert {"approve": "Approved.", "deny": "Denied."}[decision] in done.text
    assert "Nothing waits for a decision." in done.text
    await shop.ended(run)
    found = await shop.call("GET", f"/api/v1/orders?status={state}", "minji")
    assert [one["orderId"] for one in found.json["orders"]] == ["ORD-100"]
    out = await browser.send(sign_out)
    assert "Signed out." in out.text
    assert COOKIE not in browser.cookies


async def test_a_second_press_gets_the_first_outcome_and_the_other_button_nothing(shop: Shop) -> None:
    await shop.chat("ORD-100 환불해 주세요")
    browser, page = await signed_in(shop)
    await browser.send(page.forms[1], decision="approve")
    assert "Approved." in (await browser.send(page.forms[1], decision="approve")).text
    late = await browser.send(page.forms[1], decision="deny")
    assert (late.status, "The other decision has been taken already." in late.text) == (409, True)


@pytest.mark.parametrize("is_secure", [True, False])
async def test_the_cookie_is_for_this_page_alone(tmp_path: Path, is_secure: bool) -> None:
    async with shop_at(tmp_path, is_secure=is_secure) as shop:
        browser, page = await signed_in(shop)
        assert page.status == 200
        ((name, cookie),) = browser.cookies.items()
    assert name == ("__Host-order-approvals" if is_secure else COOKIE)
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], bool(cookie["secure"]), cookie["domain"]) == (
        True,
        "strict",
        "/",
        is_secure,
        "",
    )


@pytest.mark.req("threat/T14")
async def test_a_form_from_elsewhere_decides_nothing(shop: Shop) -> None:
    await shop.chat("ORD-100 환불해 주세요")
    browser, page = await signed_in(shop)
    other, theirs = await signed_in(shop, "haneul")
    form = page.forms[1]
    attempts = [
        await browser.send(form, decision="approve", csrf="-"),
        await browser.send(form, decision="approve", csrf=""),
        await browser.send(form, decision="approve", csrf="0" * 64),
        await browser.send(form, decision="approve", csrf=theirs.forms[0].fields["csrf"]),
        await browser.send(form, decision="approve", headers={"Sec-Fetch-Site": "cross-site"}),
        await browser.send(form, decision="approve", headers={"Sec-Fetch-Site": "same-site"}),
        await browser.send(form, decision="approve", headers={"Sec-Fetch-Site": "none"}),
        await browser.send(form, decision="approve", headers={"Origin": "https://forger.example"}),
        await browser.send(form, decision="approve", headers={"Origin": "null"}),
        await browser.send(page.forms[0], csrf="-"),
        await Browser(shop.port).send(form, decision="approve"),
    ]
    told = "The form is not from this page; load the page again."
    assert [(one.status, told in one.text) for one in attempts] == [(403, True)] * len(attempts)
    assert (await other.send(form, decision="approve", csrf=theirs.forms[0].fields["csrf"])).status == 404
    assert len((await browser.get("/approvals")).forms) == 2


async def test_nobody_is_signed_in_by_a_form_from_elsewhere(shop: Shop) -> None:
    (form,) = (await Browser(shop.port).get("/approvals")).forms
    page = await Browser(shop.port).send(form, token=shop.token("boram"))
    assert (page.status, page.headers.get_all("set-cookie")) == (403, None)


async def test_a_form_of_this_page_is_taken_with_what_browsers_say(shop: Shop) -> None:
    await shop.chat("ORD-100 환불해 주세요")
    browser, page = await signed_in(shop)
    here = {"Sec-Fetch-Site": "same-origin", "Origin": f"http://127.0.0.1:{shop.port}"}
    assert "Denied." in (await browser.send(page.forms[1], decision="deny", headers=here)).text


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "x" * 4000, "a b", "<script>", "한글"])
async def test_a_token_that_is_none_signs_nobody_in(shop: Shop, token: str) -> None:
    browser = Browser(shop.port)
    (form,) = (await browser.get("/approvals")).forms
    page = await browser.send(form, token=token)
    assert (page.status, "The token is not valid." in page.text, COOKIE in browser.cookies) == (401, True, False)
    assert "script" not in page.elements


async def test_a_token_may_be_pasted_with_its_word_and_blanks(shop: Shop) -> None:
    browser = Browser(shop.port)
    (form,) = (await browser.get("/approvals")).forms
    assert "Signed in as: boram" in (await browser.send(form, token=f"  Bearer {shop.token('boram')}\r\n")).text


async def test_a_token_that_is_over_leads_back_to_the_form(shop: Shop) -> None:
    browser, _ = await signed_in(shop)
    browser.cookies[COOKIE].set(COOKIE, shop.token("boram", seconds=-61), "")
    again = await browser.get("/approvals")
    assert (again.status, COOKIE in browser.cookies) == (401, False)
    assert again.forms[0].action == "/approvals/sign-in"


@pytest.mark.req("threat/T26", "input/B87")
async def test_only_approvers_of_the_tenant_see_anything(shop: Shop) -> None:
    approval = (await shop.chat("ORD-100 환불해 주세요")).json["approvals"][0]["id"]
    _, other = await signed_in(shop, "haneul")
    assert (len(other.forms), approval in str(other.attributes)) == (1, False)
    _, nobody = await signed_in(shop, "junho")
    assert (nobody.status, "Only approvers see and decide requests." in nobody.text) == (403, True)
    browser, own = await signed_in(shop, "minji the approver")
    assert "Your own request: somebody else decides." in own.text
    assert len(own.forms) == 1
    form = own.forms[0]
    form.action = f"/approvals/{approval}/decision"
    page = await browser.send(form, decision="approve")
    assert (page.status, "Somebody else has to decide on your own request." in page.text) == (403, True)


@pytest.mark.req("threat/T30", "input/B95")
async def test_what_is_shown_is_plain_text_in_which_everything_is_seen(tmp_path: Path) -> None:
    class Nasty:
        async def pending(self, actor: Any, most: int = 100) -> tuple[Approval, ...]:
            return (
                Approval(
                    id="a1",
                    run_id="r1",
                    tool="refund<b>",
                    requester="min\u202eji",
                    expires_at="2026-12-01",
                    state="WAITING",
                    arguments=NASTY,
                ),
            )

        async def unknown_calls(self, actor: Any, most: int = 100) -> tuple[UnknownCall, ...]:
            return (
                UnknownCall(
                    id="c1", run_id="r1", tool="pay<b>", requester="ji\u202e", state="UNKNOWN", arguments=NASTY
                ),
            )

    async with shop_at(tmp_path, lambda services: replace(services, approvals=Nasty())) as shop:  # type: ignore[arg-type]  # nothing else is asked
        _, page = await signed_in(shop)
    assert {"script", "img", "b"}.isdisjoint(page.elements)
    assert {name for name, _ in page.attributes if name.startswith("on") or name == "style"} == set()
    assert page.pre[1:] == page.pre[:1]
    assert page.pre[0] == (
        "{\n"
        '  "lines": "a\\n\\"decision\\": \\"approve\\"",\n'
        '  "note": "</pre><script>alert(1)</script><img src=x onerror=\\"alert(2)\\">",\n'
        '  "order_id": "ORD-100",\n'
        '  "to": "[U+202E][U+2066]gnp.txt[U+2069] [U+200B]hidden[U+3164][U+FE0F][U+00A0]\\u001b[2J [U+E0041]"\n'
        "}"
    )
    assert "Action: refund<b>" in page.text
    assert "Asked for by: min[U+202E]ji" in page.text
    assert "Action: pay<b>" in page.text
    assert "Asked for by: ji[U+202E]" in page.text
    assert "Marked characters would be invisible" in page.text


async def test_the_browser_may_do_very_little_with_it(shop: Shop) -> None:
    browser, page = await signed_in(shop)
    refused = await browser.send(page.forms[0], csrf="-")
    style = await browser.get("/approvals/style.css")
    for one in (page, refused, style, await Browser(shop.port).get("/approvals")):
        assert one.headers["content-security-policy"] == (
            "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        )
        assert one.headers["cache-control"] == "no-store"
        assert one.headers["x-content-type-options"] == "nosniff"
        assert one.headers["x-frame-options"] == "DENY"
        assert one.headers["referrer-policy"] == "same-origin"
        assert {"script", "style", "iframe"}.isdisjoint(one.elements)
    assert style.headers["content-type"] == "text/css; charset=utf-8"


async def test_it_speaks_korean(shop: Shop) -> None:
    await shop.chat("ORD-100 환불해 주세요")
    browser, page = await signed_in(shop, language="ko-KR,ko;q=0.9,en;q=0.5")
    assert ("lang", "ko") in page.attributes
    assert "로그인한 사용자: boram" in page.text
    assert "실행할 값(그대로 실행됩니다)" in page.text
    assert "승인했습니다." in (await browser.send(page.forms[1], decision="approve")).text
    refused = await browser.send(page.forms[1], decision="deny")
    assert "이미 다르게 결정되었습니다." in refused.text


@pytest.mark.parametrize(
    ("body", "media", "status"),
    [
        ("decision=approve&decision=deny", "application/x-www-form-urlencoded", 400),
        ("&".join(f"f{at}=1" for at in range(9)), "application/x-www-form-urlencoded", 400),
        ("comment=%ff", "application/x-www-form-urlencoded", 400),
        ('{"decision":"approve"}', "application/json", 415),
        ("a" * 65_537, "application/x-www-form-urlencoded", 413),
    ],
)
async def test_a_form_that_no_browser_sends_is_refused(shop: Shop, body: str, media: str, status: int) -> None:
    browser, _ = await signed_in(shop)
    page = await browser.once("POST", "/approvals/a/decision", body, {"Content-Type": media})
    assert page.status == status


@pytest.mark.parametrize("said", [{"decision": "maybe"}, {}, {"decision": "approve", "approver": "boram"}])
async def test_a_decision_form_says_what_it_may_and_no_more(shop: Shop, said: dict[str, str]) -> None:
    await shop.chat("ORD-100 환불해 주세요")
    browser, page = await signed_in(shop)
    form = page.forms[1]
    form.fields.update(said)
    assert (await browser.send(form)).status == 400


async def test_a_notice_is_one_of_ours(shop: Shop) -> None:
    browser, _ = await signed_in(shop)
    assert "Approved." in (await browser.get("/approvals?notice=approved")).text
    page = await browser.get("/approvals?notice=%3Cscript%3E")
    assert "script" not in page.text
