"""`python -m axhub.toolkit.inspecting PROJECT_FOLDER PACKAGE`: looks at a package, tries its tools, prints it all."""

import sys

from axhub.toolkit.inspecting.document import inspect_with_samples
from axhub.toolkit.inspecting.package import main

if __name__ == "__main__":
    main(sys.argv[1:], inspect_with_samples)
