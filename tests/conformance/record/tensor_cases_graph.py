"""Cases: indexing, writing, sharing and constants inside compiled functions. One case a line; `setup >> expression`."""

from tests.conformance.record.tensor_cases_index import _CUBE, _X, INDICES, INDICES_3D, WRITE_INDICES, _lines

_F = "@ms.jit\\ndef f(x):\\n    {}\\n"
GRAPH_VIEWS = (
    "x.view(-1)",
    "x.reshape(-1)",
    "x.T",
    "x[0]",
    "x[1:]",
    "x[:, 1]",
    "x[[0, 1]]",
    "x.expand_dims(0)",
    "x.copy()",
    "x + 0",
    "x",
)
GRAPH_LINES = [
    *(f"{_F.format(f'return x[{index}]')}{_X} >> f(x)" for index in _lines(INDICES)),
    *(f"{_F.format(f'return x[{index}]')}{_CUBE} >> f(x)" for index in _lines(INDICES_3D)),
    *(
        f"{_F.format(f'x[{index}] = {value}; return x')}{_X} >> f(x)"
        for index in _lines(WRITE_INDICES)
        for value in ("9", "[7, 8, 9]")
    ),
    *(
        f"@ms.jit\\ndef f(x, v):\\n    x[{index}] = v; return x\\n{_X} >> f(x, Tensor(7))"
        for index in _lines(WRITE_INDICES)
    ),
    *(
        f"{_F.format(f'x[{index}] = 9; return x + 1')}{_X}; y = f(x) >> x, y"
        for index in ("0", ":", "0, 1", "x > 2", "[0]", "...")
    ),
    *(
        f"{_F.format(f'x[{index}] += 10; return x')}{_X}; y = f(x) >> x, y"
        for index in ("0", ":, 0", "x > 2", "[0, 0]")
    ),
    *(f"{_F.format(f'y = {view}; y[0] = 9; return x, y')}{_X}; r = f(x) >> x, r" for view in GRAPH_VIEWS),
    *(f"{_F.format(f'y = {view}; x[0, 0] = 9; return x, y')}{_X}; r = f(x) >> x, r" for view in GRAPH_VIEWS),
    *(
        f"{_F.format(f'y = x; y {op}= 2; return x, y')}{_X}; r = f(x) >> x, r"
        for op in ("+", "-", "*", "/", "//", "%", "**")
    ),
    *(
        f"{_F.format(f'return {value}')}{_X} >> f(x)"
        for value in (
            *(
                "len(x)",
                "x.shape",
                "x.ndim",
                "x.size",
                "x.dtype",
                "x.itemsize",
                "x.nbytes",
                "x.strides",
                "x.T",
                "str(x.dtype)",
            ),
            *(
                "x.shape[0] + 1",
                "[i for i in x]",
                "x.item()",
                "x[0, 0].item()",
                "x.sum().item()",
                "float(x[0, 0])",
                "int(x[1, 1])",
            ),
            *(
                "bool(x[0, 0])",
                "x is None",
                "x == None",
                "x == 'a'",
                "isinstance(x, Tensor)",
                "x.tolist()",
                "x.asnumpy()",
            ),
            *(
                "(x, 1, 2.5, 'a', None, True)",
                "[x, 1]",
                "{'a': x}",
                "x, (x, [x])",
                "x.shape, x",
                "1",
                "1.5",
                "True",
                "'s'",
                "None",
            ),
            *(
                "ms.float32",
                "Tensor([1, 2])",
                "Tensor(1)",
                "Tensor(1.0)",
                "Tensor([1, 2], ms.int8)",
                "x.astype(ms.int32)",
            ),
            *(
                "x @ x.T",
                "-x",
                "abs(x)",
                "~(x > 1)",
                "x > 1",
                "x & 1",
                "x // 2",
                "x % 2",
                "x ** 2",
                "2 ** x",
                "1 / x",
                "2 // x",
            ),
            *(
                "x + True",
                "x + [1, 2, 3]",
                "x + 1j",
                "x + None",
                "x + 'a'",
                "x + (1, 2, 3)",
                "round(x)",
                "x.foo",
                "x.foo()",
            ),
            *(
                "x + Tensor([1, 2])",
                "max(x[0])",
                "min(x[0])",
                "sum(x[0])",
                "sorted(x[0])",
                "range(x.shape[0])",
                "1 in x[0]",
            ),
            *("x if x.shape[0] > 1 else -x", "x[0, 0] if x[0, 0] > 0 else x[1, 1]", "f'{1}'", "hash(x)", "x.has_init"),
        )
    ),
]
