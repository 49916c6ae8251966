"""Side-by-side benchmarks in one run, each side pinned to one core.

Our gateway is measured beside nginx and the official Python SDK, our Tool Service beside bare Starlette and the SDK,
our codec of telegrams beside construct and pydantic-fixedwidth, our agent beside Pydantic AI and LangChain.

`python bench/run.py` measures and compares, `bench/syscalls.py` counts reads and writes of a call, `bench/micro.py`
times the steps of the data path, `bench/prepare.py` installs the peers. Figures are only worth comparing within a run.
"""
