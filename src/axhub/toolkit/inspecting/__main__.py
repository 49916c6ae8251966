"""`python -m axhub.toolkit.inspecting PROJECT_FOLDER PACKAGE`: looks at a package, tries its tools, prints it all."""

import gc
import sys
from typing import Final

from axhub.toolkit.inspecting.document import inspect_with_samples
from axhub.toolkit.inspecting.package import main

_OBJECTS: Final = 200_000
"""After how many more objects the collector looks: models and schemas stay, so looking often finds nothing."""

if __name__ == "__main__":
    gc.set_threshold(_OBJECTS)
    main(sys.argv[1:], inspect_with_samples)
