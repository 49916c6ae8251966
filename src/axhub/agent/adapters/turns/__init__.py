"""Turn adapters: one model turn through a framework that executes nothing of it (agent/A8).

`tries` repeats what may pass, `endings` knows why an answer ended, `history` makes a conversation that every provider
takes, `lanes` puts streamed calls together, `parts` keeps what only the provider understands. The modules
`pydantic_ai…` and `langchain…` are the two frameworks, and the only ones that import them.
"""
