"""What `axhub service support.desk_tools` serves."""

from axhub.toolkit import EmployeeCipher, ToolService
from axhub.toolkit.testing import FakeCipher

app = ToolService("support.desk_tools", provide={EmployeeCipher: FakeCipher})
