"""The facts of a package's tools with what became of their samples."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from axhub.toolkit.check.inspection import Document, package_folder
from axhub.toolkit.config.facts import settings_facts
from axhub.toolkit.config.settings import HttpApiSettings
from axhub.toolkit.connectors.mci.samples import HEX, PREFIX, MciSample, interface_of, read_mci_sample
from axhub.toolkit.connectors.mci.samples import number_of as number_of_interface
from axhub.toolkit.connectors.samples import BrokenSample, api_of, number_of, read_sample
from axhub.toolkit.facts.service import Api, Imported
from axhub.toolkit.inspecting.client import ApiSample, InterfaceSample, TriedSample
from axhub.toolkit.inspecting.examples import definition_values, examples_of, request_of
from axhub.toolkit.inspecting.package import look_at_package
from axhub.toolkit.inspecting.running import Limits, Trial, run_trials
from axhub.toolkit.inspecting.wiring import unwired
from axhub.toolkit.layout import CONFIGURATION, SAMPLES
from axhub.toolkit.published.tool import FoundTool
from axhub.toolkit.service.arguments import RefusedError

__all__ = ["inspect_with_samples"]

_MAX_BYTES: Final = 1_048_576
_FIRST: Final = "valid/0"


def inspect_with_samples(project: Path, package: str, limits: Limits | None = None) -> Document:
    """Import a package, judge the examples of its definitions, and try each tool's samples.

    Args:
        project: the project's root.
        package: dotted name of the package.
        limits: of all trials; None: the usual ones.
    """
    document, found = look_at_package(project, package)
    root = project.resolve()
    folder = package_folder(root, package)
    if document.imported is None:
        return document
    tools = dict(document.imported)
    every = (*found.tools, *(one.tool for one in found.answerless))
    first = {tool.name: tool for tool in reversed(every)}  # of several with one name it counts, as in `look_at_package`
    for tool in first.values():
        definition = definition_values(tool, folder)
        tools[tool.name] = replace(
            tools[tool.name],
            examples=dict(examples_of(tool, tools[tool.name], definition, root)),
            untried=_untried(tool, definition),
        )
    if (folder / SAMPLES).is_dir():
        own = [tool for tool in found.tools if first[tool.name] is tool]
        tools = _with_samples(tools, own, folder, package, root, limits or Limits())
    unusable = (*document.unusable, *unwired(found.tools, folder, package, root))
    return replace(document, imported=tools, unusable=unusable)


def _untried(tool: FoundTool, definition: Mapping[str, Any]) -> str:
    """Return why a tool is not to be tried, as far as its definition says; see `Imported.untried`."""
    if not tool.declaration.category_key:
        return "hintless"
    read_only = definition.get("read_only")
    if read_only is True:
        return ""
    return "writes" if read_only is False else "unknown"


def _with_samples(
    tools: dict[str, Imported], found: Sequence[FoundTool], folder: Path, package: str, root: Path, limits: Limits
) -> dict[str, Imported]:
    configured = settings_facts(folder / CONFIGURATION, CONFIGURATION).apis
    apis = frozenset(api.name.value for api in configured)
    trials = []
    for tool in found:
        definition = definition_values(tool, folder)
        samples = tuple(_samples(folder / SAMPLES / tool.name, apis, root))
        broken = tuple(one for one in samples if isinstance(one, BrokenSample))
        if tools[tool.name].untried:
            trials.append(Trial(tool, tools[tool.name], None, broken))  # what is in a file harms nobody
            continue
        request = _request(tool, tools[tool.name], definition) if samples else None
        if isinstance(request, _Nothing):
            tools[tool.name] = replace(tools[tool.name], lacks_example=request.is_told)
        elif samples:
            trials.append(Trial(tool, tools[tool.name], request, samples, _listed(definition)))
    runs = run_trials(trials, package, root, limits, dict(_entries(configured)))
    for trial in trials:
        name = trial.tool.name
        own = {path: runs.done[path] for path in (_path(sample) for sample in trial.samples) if path in runs.done}
        untried = runs.untried.get(name, tools[name].untried)
        tools[name] = replace(tools[name], sample_runs=own, reaches=runs.reaches.get(name), untried=untried)
    return tools


def _entries(apis: Iterable[Api]) -> Iterator[tuple[str, HttpApiSettings]]:
    """Yield how each API is asked by its name; where it is does not matter, since nothing is sent."""
    for api in apis:
        if api.method and api.url and api.content_type:
            name = api.name.value
            yield (
                name,
                HttpApiSettings(name=name, domain="", url=api.url, method=api.method, content_type=api.content_type),
            )


@dataclass(frozen=True, slots=True)
class _Nothing:
    """There are no arguments to run a tool with."""

    is_told: bool
    """Whether it is to be said that an example is missing; a wrong one is told by another rule."""


def _path(sample: TriedSample | BrokenSample) -> str:
    return sample.file if isinstance(sample, BrokenSample) else sample.sample.file


def _samples(folder: Path, apis: frozenset[str], root: Path) -> Iterator[TriedSample | BrokenSample]:
    """Yield the samples of a tool, those of APIs first, each API's and interface's in their order."""
    of_apis = [(api_of(file.stem, apis), file) for file in folder.glob("http-*.json")]
    for api, file in sorted(of_apis, key=lambda one: (one[0], number_of(one[1].stem, one[0]))):
        yield from _sample(file, api, root)
    of_interfaces = [(interface_of(file.stem), file) for file in folder.glob(f"{PREFIX}*")]
    for interface, file in sorted(of_interfaces, key=lambda one: (one[0], number_of_interface(one[1].stem, one[0]))):
        if file.suffix in {HEX, ".json"}:
            yield from _sample(file, interface, root)


def _sample(file: Path, name: str, root: Path) -> Iterator[TriedSample | BrokenSample]:
    shown = file.relative_to(root).as_posix()
    if file.stat().st_size > _MAX_BYTES:
        yield BrokenSample(shown, "it has more than 1 MiB, and is not tried; a few of its rows are enough")
        return
    sample = read_mci_sample(file, shown) if file.name.startswith(PREFIX) else read_sample(file, shown)
    if isinstance(sample, MciSample):
        yield InterfaceSample(name, sample)
    elif not isinstance(sample, BrokenSample):
        yield ApiSample(name, sample)
    elif file.suffix == HEX or "not readable" not in sample.problem:  # else the rule says where
        yield sample


def _request(tool: FoundTool, imported: Imported, definition: Mapping[str, Any]) -> Any:
    """Return the request to run a tool with: the definition's first valid example, else those of the fields."""
    if tool.request is None:
        return None
    if imported.examples.get(_FIRST) is not None:
        return _Nothing(is_told=False)
    is_written = _FIRST in imported.examples
    example = definition["examples"]["valid"][0] if is_written else _of_fields(imported.model_schema)
    try:
        return request_of(tool, imported, example)
    except RefusedError:
        return _Nothing(is_told=not is_written)
    except Exception:  # noqa: BLE001 - a validator of the author's may raise anything, see `examples_of`
        return _Nothing(is_told=False)


def _of_fields(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    given = ((name, one.get("examples")) for name, one in properties.items() if isinstance(one, Mapping))
    return {name: examples[0] for name, examples in given if isinstance(examples, list) and examples}


def _listed(definition: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the variables of the environment that a definition lists."""
    listed = definition.get("required_env_keys")
    return tuple(name for name in listed if isinstance(name, str)) if isinstance(listed, list) else ()
