"""Compare the gradients of every sample: `python -m tests.conformance.gradient_sweep [family ...]`.

Prints what is wrong and what MindSpore itself has wrong, and how many pairs of an operation and an input were compared
against what.
"""

import collections
import sys
import time

import ms_compat as ms
from tests.conformance.gradient_sweep import compare, sources


def main() -> None:
    counts: collections.Counter = collections.Counter()
    pairs = set()
    for family in sys.argv[1:] or [row.name for row in sources.FAMILIES]:
        began = time.monotonic()
        by_key = {case.key: case for case in sources.cases(family)}
        rows = compare.recording(family)
        for row in rows:
            for one in compare.compare(by_key[row["key"]], row, ms, thorough=True):
                counts[one.against, one.verdict] += 1
                pairs.add((family, one.key, one.name))
                if one.verdict != compare.AGREES:
                    print(family, *one, sep=" | ", flush=True)
        print(f"{family}: {len(rows)} samples, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{len(pairs)} pairs of an operation and an input")
    for (against, verdict), count in sorted(counts.items()):
        print(f"{against:14}{verdict:20}{count:8}")


main()
