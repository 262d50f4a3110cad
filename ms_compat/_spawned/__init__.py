"""A directory that `install()` puts on `sys.path`, for the processes that are started from here.

`multiprocessing` hands `sys.path` to the processes that it starts by "spawn" or "forkserver". They do not have the
import hook: their first `import mindspore` finds the package in this directory, which installs it.
"""
