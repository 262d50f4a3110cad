"""Arguments that have another name in a face of an operation than in its function.

MindSpore names the argument of `ops.sin` `input` and the argument of `ops.sqrt` `x`, and `ops.bmm(input_x, ...)` is
`mint.bmm(input, ...)`. One operation serves all its faces, so it takes each of these names; errors list its own.
"""

_X = {"x": "input"}

# {operation: {the other name: its own}}
OTHER_NAMES: dict[str, dict[str, str]] = {
    **dict.fromkeys(
        "asin bessel_i0 bessel_i0e bessel_i1 bessel_i1e copysign deg2rad frac rad2deg amax amin sqrt".split(), _X
    ),
    "bmm": {"input": "input_x"},
    "mv": {"input": "mat"},
    "isnan": {"tensor": "input"},
    "logsigmoid": {"input": "x"},
    "mish": {"input": "x"},
    "selu": {"input": "input_x"},
    "qr": {"A": "input"},
    "broadcast_to": {"input_x": "input", "size": "shape"},
    "floor_div": {"input": "x", "other": "y"},
    "heaviside": {"values": "other"},
    "flip": {"x": "input", "axis": "dims"},
    "div": {"x": "input", "y": "other"},
    "xdivy": {"x": "input", "y": "other"},
    "slice": {"input": "input_x"},
    "approximate_equal": {"other": "y"},
    "diagonal": {"axis1": "dim1", "axis2": "dim2"},
    "float_power": {"other": "exponent"},
    "mul": {"value": "other"},
    "ormqr": {"input2": "tau", "input3": "other"},
}
