"""Records, or checks: runs files of `mindspore.export` in MindSpore.

Exports the nets of tests/_formats/mindir/nets.py with ms_compat, loads and runs each file with MindSpore in a process
of its own Python, and records for each whether the outputs agree, and by how much.

    python -m tests.conformance.record.mindir_export <python with MindSpore> [part of a name]
"""

from __future__ import annotations

import collections
import json
import pathlib
import pickle
import subprocess
import sys
import tempfile

RECORDED = pathlib.Path(__file__).parents[2] / "_formats" / "mindir" / "export.json"


def leaves(value):
    """The arrays and constants of a returned value."""
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value.asnumpy() if hasattr(value, "asnumpy") else value]


def exported(folder, chosen):
    import ms_compat as ms
    from tests._formats.mindir import nets
    from tests._formats.mindir.operations import OPERATIONS

    cases = {**nets.NETS, **nets.LAYERS, **OPERATIONS}
    found, operations = {}, {}
    for number, (name, (make, inputs)) in enumerate(cases.items()):
        if chosen and chosen not in name:
            continue
        ms.set_seed(1)
        try:
            net, given = make(), inputs()
            ms.export(net, *given, file_name=f"{folder}/{number}", file_format="MINDIR")
        except Exception as error:  # the record says which
            found[name] = f"{type(error).__name__}: {error}"
            continue
        if name in nets.NETS:
            operations[name] = counted(f"{folder}/{number}.mindir")
        plain = [_plain(v) for v in given]
        outputs = leaves(net(*given))
        with open(f"{folder}/{number}.pickle", "wb") as file:
            pickle.dump((name, plain, outputs), file)
        found[name] = ""
    for number, (name, (make, shape, known, batch)) in enumerate(batches().items(), len(cases)):
        if chosen and chosen not in name:
            continue
        try:
            net, x = make(), nets.floats(batch, *shape[1:])
            held = {p.name: p.asnumpy() for p in net.get_parameters()}
            given = nets.floats(*shape) if known else ms.Tensor(shape=[None, *shape[1:]], dtype=ms.float32)
            ms.export(net, given, file_name=f"{folder}/{number}", file_format="MINDIR")
            for parameter in net.get_parameters():
                parameter.set_data(ms.Tensor(held[parameter.name]))
            outputs = leaves(net(x))
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"
            continue
        with open(f"{folder}/{number}.pickle", "wb") as file:
            pickle.dump((name, [x.asnumpy()], outputs), file)
        found[name] = ""
    return found, operations


def batches():
    """The nets whose files serve every batch: what makes each, the shape, whether it is known, and another batch."""
    from tests._formats.mindir.batches import BATCHES

    return {
        f"{name}: batch {batch} of {'one that is known' if known else 'any'}": (make, shape, known, batch)
        for name, (make, shape) in BATCHES.items()
        for known in (True, False)
        for batch in (1, 5)
    }


def counted(path):
    """How often each primitive is called in a file."""
    import ms_compat as ms

    model = ms.load_mindir(path)
    primitives = {p.name: p.op_type for p in model.primitives}
    calls = collections.Counter(primitives[n.op_type[5:]] for n in model.graph.node if n.op_type != "Constant")
    return dict(sorted(calls.items()))


def _plain(value):
    if isinstance(value, (tuple, list)):
        return type(value)(_plain(item) for item in value)
    return value.asnumpy() if hasattr(value, "asnumpy") else value


def in_mindspore(folder):
    """The part that MindSpore's Python runs."""
    import mindspore as ms
    import numpy as np

    def tensors(value, top=True):
        if isinstance(value, (tuple, list)):
            whole = tuple(tensors(item, False) for item in value)
            return ms.mutable(whole) if top else whole
        return ms.Tensor(value) if isinstance(value, np.ndarray) else value

    for path in sorted(pathlib.Path(folder).glob("*.pickle"), key=lambda p: int(p.stem)):
        name, inputs, expected = pickle.loads(path.read_bytes())
        try:
            net = ms.nn.GraphCell(ms.load(str(path.with_suffix(".mindir"))))
            given = [tensors(v) for v in inputs if isinstance(v, (np.ndarray, tuple, list))]
            got = leaves(net(*given))
            worst = 0.0
            assert len(got) == len(expected), f"{len(got)} outputs instead of {len(expected)}"
            for a, b in zip(got, expected, strict=True):
                if not isinstance(b, np.ndarray):
                    assert a == b, f"{a!r} instead of {b!r}"
                    continue
                assert a.dtype == b.dtype and a.shape == b.shape, f"{a.dtype}{a.shape} instead of {b.dtype}{b.shape}"
                if b.dtype.kind in "fc" and b.size:
                    assert np.array_equal(np.isfinite(a), np.isfinite(b)), "other values are not finite"
                    assert np.array_equal(a[~np.isfinite(b)], b[~np.isfinite(b)], equal_nan=True), "other infinities"
                    a, b = a[np.isfinite(b)], b[np.isfinite(b)]
                    if b.size:
                        worst = max(worst, float(np.max(np.abs(a - b) / np.maximum(1, np.abs(b)))))
                else:
                    assert np.array_equal(a, b), f"{int((a != b).sum())} of {b.size} differ"
            result = {"largest difference": float(f"{worst:.1e}")}
        except Exception as error:
            result = {"error": f"{type(error).__name__}: {str(error)[:400]}"}
        print("RESULT", json.dumps([name, result]), flush=True)


def main():
    if sys.argv[1] == "--inside":
        in_mindspore(sys.argv[2])
        return
    chosen = sys.argv[2] if len(sys.argv) > 2 else ""
    with tempfile.TemporaryDirectory() as folder:
        found, operations = exported(folder, chosen)
        done = subprocess.run(
            [sys.argv[1], __file__, "--inside", folder], capture_output=True, text=True, check=False, timeout=3600
        )
        results = dict(json.loads(line[7:]) for line in done.stdout.splitlines() if line.startswith("RESULT "))
    good = 0
    for name, error in found.items():
        result = {"error": f"export: {error}"} if error else results.get(name, {"error": "MindSpore's process ended"})
        results[name] = result
        if "error" in result:
            print(f"{name}: {result['error'][:700]}")
        elif result["largest difference"] > 1e-4:
            print(f"{name}: differs by {result['largest difference']}")
        else:
            good += 1
    print(f"{good} of {len(found)} agree")
    if chosen:
        held = json.loads(RECORDED.read_text())
        results, operations = {**held["files"], **results}, {**held["calls"], **operations}
    record = {"mindspore": "2.10.0", "files": results, "calls": operations}
    RECORDED.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
