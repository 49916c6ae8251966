"""A Tool Service that does not want to end, nor to start: for the tests of `axhub service`."""
