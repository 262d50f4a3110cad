"""Worker processes, in which `map`, `batch` and `GeneratorDataset` call Python functions.

One process is started for each pool. It imports NumPy, cloudpickle and the modules here, not JAX, and forks the workers
(`start.py`, `serving.py`). The pool sends rows to them and puts the results in order (`pool.py`). Arrays travel in
shared memory that has no name, so nothing is left behind however a process ends (`channel.py`).
"""
