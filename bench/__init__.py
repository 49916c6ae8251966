"""Side-by-side benchmarks: our gateway, nginx and the official Python SDK in one run, each pinned to one core.

`python bench/run.py` measures and compares, `bench/syscalls.py` counts reads and writes of a call, `bench/micro.py`
times the steps of the data path, `bench/prepare.py` installs the peers. Figures are only worth comparing within a run.
"""
