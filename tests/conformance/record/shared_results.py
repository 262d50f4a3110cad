"""Records which results share storage with an operand in MindSpore, and which follow a Parameter that is assigned to.

`python -m tests.conformance.record shared_results` writes `../data/shared_results.json`.
"""

import json

import mindspore

from tests.conformance import replay
from tests.conformance.random_programs import evaluate
from tests.ops import shared_samples as samples


def main() -> None:
    mindspore.set_context(mode=1)
    shared, assigned = {}, {}
    for expression in samples.EXPRESSIONS:
        for name in samples.operands_of(expression):
            try:
                found = samples.shares(mindspore, expression, name)
            except Exception:
                continue  # refused, or written where the CPU build has no kernel
            shared[f"{name} in {expression}"] = [int(each) for each in found]
    for expression in samples.ASSIGNED:
        text = samples.program(expression)
        outcomes = [evaluate.run(text, mindspore, mode) for mode in ("pynative", "graph")]
        assigned[expression] = [None if "error" in found else found["shown"][0]["value"] for found in outcomes]
    body = {"mindspore": mindspore.__version__, "shared": shared, "assigned": assigned}
    path = replay.DATA / "shared_results.json"
    path.write_text(json.dumps(body, indent=0) + "\n", encoding="utf-8")
    print(len(shared), len(assigned))


if __name__ == "__main__":
    main()
