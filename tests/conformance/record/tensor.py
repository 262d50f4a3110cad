"""Records how MindSpore's Tensor, Parameter and dtypes behave: values, texts and refusals, case by case.

Run with an interpreter that has MindSpore: `python tensor.py [topic ...]` writes `../data/tensor_<topic>.json`, each
`{"mindspore", "recorded", "cases": [case with its outcome, ...]}` in the format that tests/conformance/replay.py
documents. The cases stand in `tensor_cases_*.py`, one a line, as `setup >> expression` or an expression alone.
"""

import sys
from pathlib import Path

from tests.conformance import replay
from tests.conformance.record import tensor_cases_graph as graph
from tests.conformance.record import tensor_cases_index as index
from tests.conformance.record import tensor_cases_make as make
from tests.conformance.record import tensor_cases_parameter as parameter
from tests.conformance.record import tensor_cases_protocol as protocol
from tests.conformance.record import tensor_cases_repr as texts
from tests.conformance.record import tensor_runner


def lines(text: str) -> list[str]:
    return [line for line in text.strip().splitlines() if line]


TOPICS = {
    "construct": lines(make.CONSTRUCT) + make.CONSTRUCT_LINES,
    "dtype": lines(make.DTYPE) + make.DTYPE_LINES,
    "repr": lines(texts.TEXT) + texts.REPR_LINES,
    "protocol": lines(protocol.PROTOCOL),
    "attribute": lines(protocol.ATTRIBUTE) + protocol.ATTRIBUTE_LINES,
    "alias": lines(protocol.ALIAS) + protocol.ALIAS_LINES,
    "getitem": index.READ_LINES,
    "setitem": index.WRITE_LINES,
    "graph": graph.GRAPH_LINES,
    "parameter": lines(parameter.PARAMETER),
}


def case(line: str) -> dict:
    setup, found, expr = line.rpartition(" >> ")
    return {"setup": setup.replace("\\n", "\n"), "expr": expr} if found else {"expr": expr}


def main() -> None:
    for topic in sys.argv[1:] or TOPICS:
        cases = [case(line) for line in dict.fromkeys(TOPICS[topic])]
        outcomes = tensor_runner.run(__file__, cases)
        rows = [{**one, **outcome} for one, outcome in zip(cases, outcomes, strict=True)]
        tensor_runner.write(Path(__file__).resolve().parents[1] / "data" / f"tensor_{topic}.json", {"cases": rows})
        kinds = [row.get("error", "value") for row in rows]
        print(topic, len(rows), {kind: kinds.count(kind) for kind in sorted(set(kinds))})


def child() -> None:
    import mindspore as ms

    ms.set_context(pynative_synchronize=True)
    tensor_runner.serve(tensor_runner.stable(lambda one: replay.evaluate(one, ms), ms))


if __name__ == "__main__":
    if "--worker" in sys.argv:
        child()
    else:
        main()
