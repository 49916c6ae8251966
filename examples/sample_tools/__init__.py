"""A Tool Service of an insurer, small enough to read in one sitting: a plain ASGI app, no framework.

    uvicorn --app-dir examples sample_tools.app:app --port 8081

`manifest.json` says which tools there are, `tools.py` what they do, `records.py` what they know,
`app.py` speaks HTTP: `GET /tool-manifest` and `POST /tools/{name}`.
"""
