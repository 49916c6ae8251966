"""A Tool Service of an imaginary help desk: every way in which a call can end. For the tests of the service."""
