"""Which programs JAX compiles in a block of code: the one way in which tests count them.

with Compiled() as names:
    ops.relu(x)
assert names == ["jit(relu)"]
"""

import logging

import jax


class Compiled(logging.Handler):
    """The programs that were compiled, by their names."""

    def __init__(self):
        super().__init__()
        self.names = []

    def emit(self, record):
        if record.getMessage().startswith("Compiling"):
            self.names.append(record.getMessage().split()[1])

    def __enter__(self):
        self._log = jax.log_compiles(True)
        self._log.__enter__()
        self._logger = logging.getLogger("jax")
        self._kept = self._logger.handlers[:], self._logger.propagate
        self._logger.handlers[:], self._logger.propagate = [self], False
        return self.names

    def __exit__(self, *exc):
        self._logger.handlers[:], self._logger.propagate = self._kept
        self._log.__exit__(*exc)
