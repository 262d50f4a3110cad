"""Records members.json: members of Tensor and Optimizer, hooks, layers and functions.

Run with an interpreter that has MindSpore: `python members.py`.
"""

import datetime
import json

import mindspore

from tests.conformance import replay

X = "x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))"
CASES = []


def case(expr, setup=X, **extra):
    CASES.append({"setup": setup, "expr": expr, **extra})


# bytes
for dtype in ("float32", "int8", "int64", "float64", "bool_", "float16"):
    made = f"Tensor(np.arange(6).reshape(2, 3), ms.{dtype})"
    case("Tensor(Tensor.convert_bytes_to_tensor(t.get_bytes(), (3, 2), t.dtype))", f"t = {made}")
case("Tensor(Tensor.convert_bytes_to_tensor(x.get_bytes()[:4], (), x.dtype))")
case("Tensor.convert_bytes_to_tensor()")

# hooks
HOOKED = """
def f(x, y):
    z = x * y
    handle = z.register_hook(lambda g: g * 2)
    w = z * y
    {}
    return w
"""
for then in ("pass", "z.remove_hook(handle.id)", "Tensor.remove_hook(handle.id); Tensor.remove_hook(handle.id)",
             "Tensor.remove_hook(handle.id + 1)"):  # fmt: skip
    case("ms.grad(f, (0, 1))(Tensor(1.0), Tensor(2.0))", HOOKED.format(then))
case("Tensor.remove_hook(12345678)")
case("Tensor.remove_hook('a')")
case("x.register_hook(lambda g: g).id > 0")

# Optimizer.unique
OPTIMIZER = "o = nn.Adam([Parameter(Tensor([1.0]), name='w')])"
case("o.unique", OPTIMIZER)
case("o.unique", f"{OPTIMIZER}; o.unique = False")
for value in ("1", "None", "'a'"):
    case("0", f"{OPTIMIZER}; o.unique = {value}")

# embeddings of several fields
FIELDS = """
i = Tensor([[2, 4, 6, 0, 0], [1, 3, 5, 0, 0]], ms.int32)
v = Tensor([[1, 0.5, 2, 0, 0], [1, -1, 1, 0, 0]], ms.float32)
f = Tensor([[0, 1, 1, 0, 0], [0, 0, 1, 0, 0]], ms.int32)
table = Tensor(np.arange(20).reshape(10, 2).astype(np.float32) - 7)
L = nn.MultiFieldEmbeddingLookup
"""
for operator in ("SUM", "MEAN", "MAX"):
    for more in ("", ", max_norm=3.0"):
        for size in (2, 3):
            case(f"L(10, 2, {size}, table, operator='{operator}'{more})(i, v, f)", FIELDS, rtol=1e-5)
    call = f"L(10, 2, 2, table, operator='{operator}')"
    case(f"ms.grad(lambda v: ({call}(i, v, f) ** 2).sum())(v)", FIELDS, rtol=1e-5)
    case(f"L(10, 2, 2, table, operator='{operator}')(i, v, f)", FIELDS, graph=True, rtol=1e-5)
case("L(10, 2, 2, table)(i + 9, v, f)", FIELDS)
for argument in ("i.astype(ms.int16), v, f", "i, v.astype(ms.float16), f", "i, v, f.astype(ms.int64)", "i[0], v, f",
                 "i, v[0], f", "i.astype(ms.int64), v, f"):  # fmt: skip
    case(f"L(10, 2, 2, table)({argument})", FIELDS)
for argument in ("'a', 2, 2", "0, 2, 2", "10, 0, 2", "10, 2, 0", "10, 2, 1.5", "10, 2, 2, target='x'",
                 "10, 2, 2, slice_mode='table_row_slice'", "10, 2, 2, sparse=False", "10, 2, 2, sparse=1",
                 "10, 2, 2, 'normal', 'DEVICE', sparse=False", "10, 2, 2, operator='x'", "10, 2, 2, max_norm=-1.0",
                 "10, 2, 2, max_norm=1", "10, 2, 2, feature_num_list=(1, 2)"):  # fmt: skip
    case(f"L({argument}).embedding_table.shape", FIELDS)

# Parameters without initialisation, adaptive summation in a process alone
case("nn.Dense(2, 3).weight.shape", "import contextlib\nscope = nn.no_init_parameters()\nscope.__enter__()\n"
     "scope.__exit__(None, None, None)")  # fmt: skip
for cell in ("AdaSumByGradWrapCell", "AdaSumByDeltaWeightWrapCell"):
    case(f"nn.{cell}(o)", OPTIMIZER)

if __name__ == "__main__":
    for each in CASES:
        each.update(replay.evaluate(each, mindspore))
    head = {"mindspore": mindspore.__version__, "recorded": str(datetime.date.today())}
    lines = ",\n  ".join(json.dumps(each) for each in CASES)
    text = json.dumps(head)[:-1] + f',\n "cases": [\n  {lines}\n]}}\n'
    (replay.DATA / "members.json").write_text(text)
