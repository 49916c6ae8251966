"""The order service in `axhub run`: how it is started, whom one can be, and what to type to try its assistant."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from axhub.cli.run_preconditions import HOST, ORDERS, StartError

__all__ = ["HEALTH", "NAME", "People", "command", "environment", "how_to", "read_people"]

NAME: Final = "the order service"
HEALTH: Final = "/health/ready"
_OWN: Final = "ORDER_SERVICE_"
_CUSTOMER: Final = "minji"
_APPROVER: Final = "boram"
_HOW_TO: Final = """\

The order service has an assistant, whose model goes by rules here. It changes nothing before a person has said yes.
To try it, type in another terminal; first who you are, {customer} and {approver}:
  orders={url}/api/v1; json='Content-Type: application/json'
  customer='Authorization: Bearer {people.customer}'
  approver='Authorization: Bearer {people.approver}'
Ask for your orders:
  curl -sSw '\\n' $orders/chat -H "$customer" -H "$json" -d '{{"message": "내 주문 보여줘"}}'
Ask for a refund; it stops, and waits for an approval:
  said=$(curl -sS $orders/chat -H "$customer" -H "$json" -d '{{"message": "ORD-100 환불해줘"}}'); echo "$said"
  run=$(echo "$said" | sed 's/.*"runId":"\\([^"]*\\)".*/\\1/')
  approval=$(echo "$said" | sed 's/.*"approvals":\\[{{"id":"\\([^"]*\\)".*/\\1/')
Approve it (people do that on {url}/approvals, where they sign in with the token of {approver}):
  curl -sSw '\\n' $orders/approvals -H "$approver"
  curl -sSw '\\n' $orders/approvals/$approval/decision -H "$approver" -H "$json" -d '{{"decision": "approve"}}'
Read the answer:
  curl -sSw '\\n' "$orders/runs/$run?wait=10" -H "$customer"
Refund it again without the assistant; the use case is the same, and so is what comes back: it was refunded once.
  curl -sSw '\\n' -X POST $orders/orders/ORD-100/refund -H "$customer" -H 'Idempotency-Key: try-1'
Show that nobody has changed what was recorded of all this:
  {axhub} audit verify --database {database}"""


class People(NamedTuple):
    """Tokens of the demonstration's people; each is good for a day, and for this process only."""

    customer: str
    approver: str


def command() -> Sequence[str]:
    """Return what starts the service."""
    return (sys.executable, "-u", "-m", ORDERS.name, "--profile", "local")


def environment(root: Path, environ: Mapping[str, str], port: int, database: str) -> dict[str, str]:
    """Return what the service is started with: nothing of the caller's own order service, whose database is no sample.

    Args:
        root: the clone.
        environ: of this process.
        port: where it listens.
        database: address of an embedded one, with the demonstration's orders in it soon.
    """
    others = {name: value for name, value in environ.items() if not name.startswith(_OWN)}
    places = os.pathsep.join(filter(None, (str(root / ORDERS.parent), others.get("PYTHONPATH"))))
    own = {"DATABASE_URL": database, "HOST": HOST, "PORT": str(port)}
    return others | {"PYTHONPATH": places} | {_OWN + name: value for name, value in own.items()}


def read_people(log: Path) -> People:
    """Return the tokens that the service has printed.

    Raises:
        StartError: it has printed none.
    """
    said = dict(re.findall(r"^(\w+) of [^:\n]+: (\S+)$", log.read_text(encoding="utf-8"), re.MULTILINE))
    if not {_CUSTOMER, _APPROVER} <= said.keys():
        raise StartError(f"{NAME} printed no token for {_CUSTOMER} and {_APPROVER}")
    return People(said[_CUSTOMER], said[_APPROVER])


def how_to(people: People, port: int, database: str, axhub: str) -> str:
    """Return what to type, from the first question to the proof."""
    url = f"http://{HOST}:{port}"
    names = {"customer": _CUSTOMER, "approver": _APPROVER}
    return _HOW_TO.format(people=people, url=url, database=database, axhub=axhub, **names)
