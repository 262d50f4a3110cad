"""`ms-compat` in a process that another command starts, with the module search path of the installed command.

`python -m ms_compat` would look for modules in the current folder first, and a `jax.py` there would be imported in
JAX's place. Therefore commands run this file by its path. Its first argument is the folder that contains `ms_compat`.
"""

import os  # Python itself has imported it, so the search path does not matter yet
import sys

package = sys.argv.pop(1)
if not sys.flags.safe_path:  # else there is no entry for this file's folder
    sys.path[0] = os.path.dirname(sys.executable)
added = package not in sys.path
if added:  # it was found through the first entry there, such as a checkout's folder
    sys.path.insert(1, package)

from ms_compat.__main__ import main  # noqa: E402

if added:
    sys.path.remove(package)


def run() -> int:
    """Run the command. In a worker of msrun a failing exit status ends the process at once, as an error does."""
    try:
        return main(sys.argv[1:])
    except SystemExit as error:
        from ms_compat.communication import departures

        if error.code not in (None, 0):
            if not isinstance(error.code, int):
                print(error.code, file=sys.stderr)
            departures.end_at_once(error.code if isinstance(error.code, int) else 1)
        raise


if __name__ == "__main__":
    sys.exit(run())
