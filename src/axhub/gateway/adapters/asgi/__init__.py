"""The same core as an ASGI 3.0 app: the app, and one answer on its way to the server."""
