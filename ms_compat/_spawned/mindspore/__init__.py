"""What `import mindspore` finds in a process without the import hook: it installs the hook, and gives way."""

import importlib
import sys

if __name__ == "mindspore":
    del sys.modules[__name__]
    importlib.import_module("ms_compat.install").install()
    importlib.import_module(__name__)
