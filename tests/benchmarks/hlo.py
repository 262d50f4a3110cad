"""What two compiled programs consist of: operations by kind, matrix products by shape, dtypes, and bytes.

Run it for the table of each training step beside the hand-written one: `python -m tests.benchmarks.hlo [CASE ...]`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter

_INSTRUCTION = re.compile(r"^\s*(?:ROOT )?%?[\w.\-]+ = (\([^=]*?\)|\S+) ([\w\-]+)\(", re.MULTILINE)
_TARGET = re.compile(r'custom_call_target="([^"]+)"')
# not work: names, constants and grouping
_FREE = {"parameter", "constant", "tuple", "get-tuple-element", "bitcast"}


def kinds(text: str, entry: bool = False) -> Counter:
    """How many instructions of each kind an optimized program has; with `entry`, those of its main computation only.

    >>> kinds("ENTRY %main {\\n  %a.1 = f32[2]{0} add(%x, %y)\\n}\\n")
    Counter({'add': 1})
    """
    if entry:
        text = text[text.index("ENTRY ") :]
    found: Counter = Counter()
    for match in _INSTRUCTION.finditer(text):
        kind = match.group(2)
        if kind == "custom-call":
            target = _TARGET.search(text, match.end(), text.find("\n", match.end()))
            kind += f" {target.group(1)}" if target else ""
        if kind not in _FREE:
            found[kind] += 1
    return found


def wide(text: str) -> Counter:
    """Instructions with a 64-bit array result of more than one element, which a 32-bit program should not need."""
    found: Counter = Counter()
    for match in _INSTRUCTION.finditer(text):
        if re.match(r"(f64|s64|u64)\[[1-9]", match.group(1)) and match.group(2) not in _FREE:
            found[match.group(2)] += 1
    return found


def peak_bytes(executable) -> int:
    """Arguments, outputs and temporaries of a compiled program, donated memory counted once."""
    memory = executable.memory_analysis()
    return (
        memory.argument_size_in_bytes
        + memory.output_size_in_bytes
        + memory.temp_size_in_bytes
        - memory.alias_size_in_bytes
    )


def table(ours, reference, entry: bool = False) -> str:
    """Two columns of counts, the kinds that differ marked."""
    a, b = (kinds(executable.as_text(), entry) for executable in (ours, reference))
    rows = [f"  {kind:<40}{a[kind]:>8}{b[kind]:>8}{'' if a[kind] == b[kind] else '  *'}" for kind in sorted(a | b)]
    return "\n".join(rows)


def main(names: list[str]) -> None:
    """Print the comparison of the named steps, or of all."""
    import ms_compat as ms
    from tests.benchmarks import steps

    ms.set_context(mode=ms.GRAPH_MODE)
    for name in names or steps.CASES:
        ours, reference = steps.pair(name)
        ours(), reference()
        one, other = ours.executable(), reference.executable()
        print(f"{name}: bytes {peak_bytes(one)} / {peak_bytes(other)}")
        print(f"  {'instructions anywhere':<40}{'ours':>8}{'by hand':>8}\n{table(one, other)}")
        print(f"  {'in the main computation':<40}\n{table(one, other, entry=True)}")
        print(f"  64-bit results: {dict(wide(one.as_text()))} / {dict(wide(other.as_text()))}")


if __name__ == "__main__":
    main(sys.argv[1:])
