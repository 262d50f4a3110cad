"""Programs that use `rewrite` as MindSpore's users do. Each returns what it found, as JSON can say it.

Functions without a leading underscore and without parameters are programs. `tests/rewrite/record.py` runs them in
MindSpore, `tests/rewrite/test_programs.py` here.
"""

import importlib
import inspect
import pkgutil


def programs():
    """{"module.function": the function} for all programs."""
    found = {}
    for information in pkgutil.iter_modules(__path__):
        if information.ispkg:
            continue
        module = importlib.import_module(f"{__name__}.{information.name}")
        for name, value in vars(module).items():
            own = inspect.isfunction(value) and value.__module__ == module.__name__
            if own and not name.startswith("_") and name not in module.HELPERS:
                found[f"{information.name}.{name}"] = value
    return found
