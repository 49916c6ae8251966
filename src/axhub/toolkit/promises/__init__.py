"""What a Tool Service has promised to its callers: the lock, and what a change of it means for them (decision/D12).

Pure: files, git and the terminal are the command line's. `changes` is the way in.
"""
