"""The process in which a package is imported and its tools are tried on their samples (rule/TK002, rule/TK503).

`python -m axhub.toolkit.inspecting` is what `check.inspection` starts: `package` imports and looks at the models,
`examples` asks for arguments what a service would, `running` tries the tools, and `client` answers them.
"""
