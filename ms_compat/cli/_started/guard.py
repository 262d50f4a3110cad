"""End the process group when msrun has ended, however it ended.

msrun holds the only writing end of this process's standard input, and the workers are in this process's group. When
msrun is killed by SIGKILL, the kernel closes that end. The group is killed as a whole, so the workers' own child
processes end, too.
"""

import os
import signal
import sys

sys.stdin.read()
os.killpg(0, signal.SIGKILL)
