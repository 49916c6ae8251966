"""The text format of Prometheus, version 0.0.4: families in, bytes out, and nothing else.

Source: Prometheus documentation, "Exposition formats", section "Text-based format". A family is one HELP line, one
TYPE line and its samples together. Names of metrics and labels are ours and taken as they are; help texts and label
values may be any text. The scrape runs on the event loop, so a histogram is one format string for each label set, not
a function call for each of its lines.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from math import isfinite, isnan
from typing import Final

Sample = tuple[Sequence[str], float]
"""Label values in the order of the family's labels, and the number."""

Distribution = tuple[Sequence[str], Sequence[int], float]
"""Label values, observations by bucket (one more than there are bounds, not cumulative), and the sum of them all."""

INFINITE: Final = "+Inf"
_LABELS: Final = "\0"
"""Marks where the labels of a histogram go; no name has it."""


def counter(name: str, text: str, samples: Iterable[Sample], labels: Sequence[str] = ()) -> Iterator[bytes]:
    """Return the text of a counter in pieces; `name` is the whole name, with its `_total`."""
    return _plain("counter", name, text, samples, labels)


def gauge(name: str, text: str, samples: Iterable[Sample], labels: Sequence[str] = ()) -> Iterator[bytes]:
    """Return the text of a gauge in pieces."""
    return _plain("gauge", name, text, samples, labels)


def histogram(
    name: str, text: str, bounds: Sequence[float], samples: Iterable[Distribution], labels: Sequence[str]
) -> Iterator[bytes]:
    """Return the text of a histogram in pieces: buckets made cumulative, one more for all (`+Inf`), sum and count.

    `bounds` are upper bounds that count as inside, ascending; there is at least one label.
    """
    yield _head("histogram", name, text)
    inside = [*(number(float(bound)) for bound in bounds), INFINITE]
    block = "".join(f'{name}_bucket{{{_LABELS},le="{bound}"}} %d\n' for bound in inside)
    block += f"{name}_sum{{{_LABELS}}} %s\n{name}_count{{{_LABELS}}} %d\n"
    around, pairs = block.split(_LABELS), _pairs(labels)
    for values, buckets, total in samples:
        shown = pairs % tuple(map(escape, values))
        counts = list(accumulate(buckets))
        yield _encoded(shown.replace("%", "%%").join(around) % (*counts, number(total), counts[-1]))


def escape(value: str) -> str:
    r"""Return a label value as it stands between double quotes: `\`, `"` and the line feed escaped."""
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def number(value: float) -> str:
    """Return a sample's number in a form that Go's ParseFloat reads back without loss; a truth value is 1 or 0."""
    if isinstance(value, int):
        return str(int(value))
    if isfinite(value):
        return repr(value)
    return "NaN" if isnan(value) else INFINITE if value > 0 else "-Inf"


def _plain(kind: str, name: str, text: str, samples: Iterable[Sample], labels: Sequence[str]) -> Iterator[bytes]:
    yield _head(kind, name, text)
    line = f"{name}{{{_pairs(labels)}}} %s\n" if labels else f"{name} %s\n"
    yield _encoded("".join([line % (*map(escape, values), number(value)) for values, value in samples]))


def _head(kind: str, name: str, text: str) -> bytes:
    shown = text.replace("\\", r"\\").replace("\n", r"\n")  # quotes stay as they are, other than in label values
    return _encoded(f"# HELP {name} {shown}\n# TYPE {name} {kind}\n")


def _pairs(labels: Sequence[str]) -> str:
    return ",".join(f'{label}="%s"' for label in labels)


def _encoded(text: str) -> bytes:
    """Return UTF-8; half a surrogate pair is shown as `?`, for no scrape must fail because of one label."""
    return text.encode(errors="replace")
