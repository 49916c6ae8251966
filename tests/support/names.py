"""Names of hosts that are known, unknown or hang, as a test says: in the place of the system's resolver."""

import socket
import threading
from dataclasses import dataclass, field

PATIENCE_SECONDS = 40.0


@dataclass
class Names:
    """Answers like `ask_the_system`; blocks for names in `hanging` until `go_on`."""

    known: dict[str, tuple[str, ...]] = field(default_factory=dict)
    hanging: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    """What was asked for, in the order of the beginnings."""
    _gate: threading.Event = field(default_factory=threading.Event)

    def ask(self, host: str) -> tuple[str, ...]:
        """Return the addresses of a known name."""
        gate = self._gate
        self.asked.append(host)
        if host in self.hanging:
            assert gate.wait(PATIENCE_SECONDS), "nobody let it go on"
        if host not in self.known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return self.known[host]

    def go_on(self) -> None:
        """Let all that hang now have their answer; what is asked for later hangs again."""
        self._gate, gate = threading.Event(), self._gate
        gate.set()

    def reset(self) -> None:
        """Let everything go on, and forget all that was said."""
        self.hanging.clear()
        self.known.clear()
        self.asked.clear()
        self.go_on()
