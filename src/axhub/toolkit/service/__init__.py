"""Serves the tools of a package: manifest, execution, health and metrics, as one ASGI app (toolkit/S1 to S7).

`app` is what authors import; `starting` puts everything together and lists what is wrong; `endpoint` takes calls;
`execution` runs one; `pages` are the addresses besides.
"""

from axhub.toolkit.service.app import ToolService

__all__ = ["ToolService"]
