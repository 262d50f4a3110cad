"""Compare the gradients of samples: `python -m tests.conformance.gradient_sweep [options] [family ...]`.

Prints what is wrong and what MindSpore itself has wrong, and a table of how many pairs of an operation and an input
were compared, by which reference, in which mode, and with what result.
"""

import argparse
import time
from pathlib import Path

import ms_compat as ms
from tests.conformance.gradient_sweep import compare, report, sources


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.gradient_sweep", description=__doc__)
    parser.add_argument("family", nargs="*", help="families of samples (default: all)")
    parser.add_argument("--share", action="store_true", help="only the samples and points that the tests compare")
    parser.add_argument(
        "--results", type=Path, help="a file that keeps the findings; what it has is not compared again"
    )
    options = parser.parse_args()
    families = options.family or [row.name for row in sources.FAMILIES]
    results = report.Results(options.results)
    for family in families:
        began = time.monotonic()
        by_key = {case.key: case for case in sources.cases(family)}
        rows = compare.drawn(family) if options.share else compare.recording(family)
        for row in rows:
            if (family, row["key"]) in results:
                continue
            findings = compare.compare(by_key[row["key"]], row, ms, thorough=not options.share)
            for one in results.add(family, row["key"], findings):
                if one.verdict != compare.AGREES:
                    print(family, *one, sep=" | ", flush=True)
        print(f"{family}: {len(rows)} samples, {time.monotonic() - began:.0f} s", flush=True)
    print(results.table(families))


main()
