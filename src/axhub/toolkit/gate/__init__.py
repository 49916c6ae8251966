"""The build gate: no wheel and no sdist of a Tool Service while an error stands (chapter Rules of the toolkit).

`building` runs the check for a build backend and seals the wheel that was built; `wheels` looks into wheels; `receipt`
is what the seal says, written at the build and compared at the start of the service. The hook for hatchling is
`axhub.cli.hatch_plugin`, the backend for projects on setuptools is `setuptools_backend`.
"""
