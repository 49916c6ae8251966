"""From what an author wrote to what a Tool Service publishes: tools found, schemas rendered, texts and manifest.

`discovery` finds the declared tools of a package, `definition_file` and `resources` read their files, `schemas` renders
models for language models (toolkit/T7), `texts` composes what a definition says (toolkit/T8), `publish` puts them
together into `PublishedTool`s, and `manifest` writes the manifest's bytes (toolkit/S1).
"""
