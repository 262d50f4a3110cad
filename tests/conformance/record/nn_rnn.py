"""Records nn_rnn.json: recurrent layers and cells, their values, gradients, states, lengths and refusals."""

from tests.conformance.record.nn_recorder import PRELUDE, Recorder

_PRELUDE = (
    PRELUDE
    + '''

def hidden(*shape, seed=3):
    return rand(*shape, seed=seed)


def by_all(loss, net, *inputs):
    """Gradients of `loss(*inputs)` -> (scalar, outputs) by all inputs and all parameters."""
    weights = list(net.trainable_params())
    wrt = tuple(range(len(inputs)))
    (by_input, by_weight), out = ms.grad(loss, wrt, weights, has_aux=True)(*inputs)
    return {"out": out, "inputs": by_input, "weights": {w.name: g for w, g in zip(weights, by_weight)}}


def lstm(net, x, h, c, lengths=None):
    def loss(x, h, c):
        y, (h_n, c_n) = net(x, (h, c), lengths)
        return (y * y).sum() + (h_n * h_n).sum() + (c_n * c_n).sum(), (y, h_n, c_n)

    return by_all(loss, net, x, h, c)


def single(net, x, h, lengths=None):
    def loss(x, h):
        y, h_n = net(x, h, lengths)
        return (y * y).sum() + (h_n * h_n).sum(), (y, h_n)

    return by_all(loss, net, x, h)


def lstm_cell(net, x, h, c):
    def loss(x, h, c):
        h_n, c_n = net(x, (h, c))
        return (h_n * h_n).sum() + (c_n * c_n).sum(), (h_n, c_n)

    return by_all(loss, net, x, h, c)


def cell(net, x, h):
    def loss(x, h):
        h_n = net(x, h)
        return (h_n * h_n).sum(), h_n

    return by_all(loss, net, x, h)


def lengths(*values, dtype=ms.int32):
    return Tensor(np.array(values), dtype)
'''
)
rec = Recorder(__file__, "nn_rnn.json", "Recurrent layers and cells of nn.", _PRELUDE)

X, H = "rand(4, 2, 2)", "hidden(1, 2, 3)"
for name in ("RNN", "GRU", "LSTM"):
    run = "lstm" if name == "LSTM" else "single"
    state = "({0}, {0})" if name == "LSTM" else "{0}"

    def states(layers, batch=2, count=2 if name == "LSTM" else 1):
        return ", ".join(f"hidden({layers}, {batch}, 3, seed={3 + i})" for i in range(count))

    rec.case(name, f"{run}(fill(nn.{name}(2, 3)), {X}, {states(1)})")
    rec.case(f"{name}/no_bias", f"{run}(fill(nn.{name}(2, 3, has_bias=False)), {X}, {states(1)})")
    rec.case(f"{name}/batch_first", f"fill(nn.{name}(2, 3, batch_first=True))(rand(2, 4, 2))")
    rec.case(f"{name}/stacked", f"{run}(fill(nn.{name}(2, 3, 2, bidirectional=True)), {X}, {states(4)})")
    rec.case(f"{name}/dropout_in_inference", f"fill(nn.{name}(2, 3, num_layers=2, dropout=0.5))({X})")
    rec.case(f"{name}/lengths", f"{run}(fill(nn.{name}(2, 3)), {X}, {states(1)}, lengths(4, 2))")
    rec.case(
        f"{name}/lengths_stacked",
        f"{run}(fill(nn.{name}(2, 3, 2, bidirectional=True)), {X}, {states(4)}, lengths(1, 3))",
    )
    rec.case(
        f"{name}/lengths_batch_first",
        f"fill(nn.{name}(2, 3, batch_first=True))(rand(2, 4, 2), None, lengths(3, 4, dtype=ms.int64))",
    )
    rec.case(f"{name}/lengths_zero", f"fill(nn.{name}(2, 3))({X}, {state.format(H)}, lengths(0, 2))")
    rec.case(f"{name}/lengths_beyond", f"fill(nn.{name}(2, 3))({X}, {state.format(H)}, lengths(9, 2))")
    rec.case(f"{name}/lengths_reversed_beyond", f"fill(nn.{name}(2, 3, bidirectional=True))({X}, None, lengths(9, 2))")
    rec.case(
        f"{name}/parameters", f"{{p.name: p.shape for p in nn.{name}(2, 3, 2, bidirectional=True).get_parameters()}}"
    )
    rec.case(f"{name}/order", f"[p.name for p in nn.{name}(2, 3, 2, bidirectional=True).get_parameters()]")
    for dtype in ("float16", "float64"):
        rec.case(f"{name}/{dtype}", f"fill(nn.{name}(2, 3))({X}.astype(ms.{dtype}))")
    rec.case(f"{name}/dtype", f"[str(p.dtype) for p in nn.{name}(2, 3, dtype=ms.float16).get_parameters()]")
    rec.case(f"{name}/half_state", f"nn.{name}(2, 3)({X}, {state.format(H + '.astype(ms.float16)')})")
    for label, shape in (
        ("wide", "1, 2, 4"),
        ("batch", "1, 3, 3"),
        ("one", "1, 1, 3"),
        ("layers", "2, 2, 3"),
        ("rank", "2, 3"),
    ):
        rec.case(f"{name}/state_{label}", f"nn.{name}(2, 3)({X}, {state.format(f'hidden({shape})')})")
    for label, text in (
        ("list", "[{0}, {0}]"),
        ("tensor", "{0}"),
        ("tuple", "({0}, {0})"),
        ("triple", "({0}, {0}, {0})"),
    ):
        if label != ("tuple" if name == "LSTM" else "tensor"):
            rec.case(f"{name}/state_{label}", f"nn.{name}(2, 3)({X}, {text.format(H)})")
    for label, shape in (("flat", "4, 2"), ("deep", "4, 2, 2, 2"), ("wide", "4, 2, 5")):
        rec.case(f"{name}/input_{label}", f"nn.{name}(2, 3)(rand({shape}))")
    rec.case(f"{name}/input_int", f"nn.{name}(2, 3)(Tensor(np.ones((4, 2, 2), np.int32)))")
    rec.case(f"{name}/input_list", f"nn.{name}(2, 3)([1.0])")
    for label, text in (
        ("float", "lengths(4, 2, dtype=ms.float32)"),
        ("few", "lengths(4)"),
        ("many", "lengths(4, 2, 1)"),
        ("list", "[4, 2]"),
        ("scalar", "Tensor(4, ms.int32)"),
    ):
        rec.case(f"{name}/lengths_{label}", f"nn.{name}(2, 3)({X}, None, {text})")
    for text in (
        "0, 3",
        "2.0, 3",
        "True, 3",
        "2, 0",
        "2, 'a'",
        "2, -1",
        "2, 3, 0",
        "2, 3, 1.5",
        "2, 3, has_bias=1",
        "2, 3, batch_first=1",
        "2, 3, dropout=1",
        "2, 3, dropout=1.0",
        "2, 3, dropout=-0.1",
        "2, 3, dropout='a'",
        "2, 3, bidirectional=1",
        "2, 3, bogus=1",
        "2",
    ):
        rec.case(f"{name}({text})", f"nn.{name}({text})", modes=("pynative",))
rec.case("RNN/relu", f"single(fill(nn.RNN(2, 3, nonlinearity='relu')), {X}, {H})")
rec.case("RNN/relu_stacked", f"fill(nn.RNN(2, 3, 2, bidirectional=True, nonlinearity='relu'))({X})")
for value in ("'sigmoid'", "1", "None"):
    rec.case(f"RNN/nonlinearity={value}", f"nn.RNN(2, 3, nonlinearity={value})", modes=("pynative",))

for name in ("RNNCell", "GRUCell", "LSTMCell"):
    run = "lstm_cell" if name == "LSTMCell" else "cell"
    state = "({0}, {0})" if name == "LSTMCell" else "{0}"
    given = "hidden(2, 3), hidden(2, 3, seed=4)" if name == "LSTMCell" else "hidden(2, 3)"
    rec.case(name, f"{run}(fill(nn.{name}(2, 3)), rand(2, 2), {given})")
    rec.case(f"{name}/no_bias", f"{run}(fill(nn.{name}(2, 3, has_bias=False)), rand(2, 2), {given})")
    rec.case(f"{name}/parameters", f"{{p.name: p.shape for p in nn.{name}(2, 3).get_parameters()}}")
    rec.case(f"{name}/repr", f"repr(nn.{name}(2, 3))")
    rec.case(
        f"{name}/float16",
        f"fill(nn.{name}(2, 3))(rand(2, 2).astype(ms.float16), {state.format('hidden(2, 3).astype(ms.float16)')})",
    )
    rec.case(f"{name}/half_state", f"nn.{name}(2, 3)(rand(2, 2), {state.format('hidden(2, 3).astype(ms.float16)')})")
    rec.case(f"{name}/dtype", f"[str(p.dtype) for p in nn.{name}(2, 3, dtype=ms.float16).get_parameters()]")
    for label, shape in (("flat", "3"), ("deep", "1, 2, 3"), ("wide", "2, 4"), ("batch", "3, 3"), ("one", "1, 3")):
        rec.case(f"{name}/state_{label}", f"fill(nn.{name}(2, 3))(rand(2, 2), {state.format(f'hidden({shape})')})")
    for label, shape in (("flat", "2"), ("deep", "2, 2, 2"), ("wide", "2, 5")):
        rec.case(f"{name}/input_{label}", f"nn.{name}(2, 3)(rand({shape}), {state.format('hidden(2, 3)')})")
    for label, text in (
        ("list", "[{0}, {0}]"),
        ("tensor", "{0}"),
        ("tuple", "({0}, {0})"),
        ("triple", "({0}, {0}, {0})"),
        ("none", "None"),
    ):
        if label != ("tuple" if name == "LSTMCell" else "tensor"):
            rec.case(
                f"{name}/state_{label}",
                f"nn.{name}(2, 3)(rand(2, 2), {text.format('hidden(2, 3)')})",
                modes=("pynative",),
            )
    rec.case(f"{name}/no_state", f"nn.{name}(2, 3)(rand(2, 2))", modes=("pynative",))
    for text in ("0, 3", "2.0, 3", "True, 3", "2, 0", "2, 'a'", "2, 3, 1", "2, 3, bogus=1", "2"):
        rec.case(f"{name}({text})", f"nn.{name}({text})", modes=("pynative",))
rec.case("RNNCell/relu", "cell(fill(nn.RNNCell(2, 3, nonlinearity='relu')), rand(2, 2), hidden(2, 3))")
for value in ("'sigmoid'", "1", "None"):
    rec.case(f"RNNCell/nonlinearity={value}", f"nn.RNNCell(2, 3, nonlinearity={value})", modes=("pynative",))
    rec.case(
        f"RNNCell/nonlinearity={value}/called",
        f"nn.RNNCell(2, 3, nonlinearity={value})(rand(2, 2), hidden(2, 3))",
        modes=("pynative",),
    )

rec.write()
