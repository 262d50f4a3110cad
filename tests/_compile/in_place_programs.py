"""Programs that write in place in compiled code, and what MindSpore answers (`data/in_place.json`).

The same file runs under MindSpore, which has recorded the answers: `python -m tests._compile.in_place_programs OUT`.
"""

import json
import sys

import numpy as np

try:
    import mindspore as ms
    from mindspore import Tensor, ops
except ImportError:
    import ms_compat as ms
    from ms_compat import Tensor, ops

from tests._compile.in_place_cells import CELLS

GLOBAL = Tensor(np.array([1.0, 2.0, 3.0]), ms.float32)


# -- augmented assignments -------------------------------------------------------------------------------------------
def argument(x, y):
    x += y
    return y


def other_name(x, y):
    v = x
    v += y
    return v, x


def other_name_of_other(x, y):
    y = x
    y += 1
    return x


def of_computed(x, y):
    z = x * 2
    v = z
    v += y
    return z, v


def chained_names(x, y):
    a = b = x * 2
    a += 1
    return a, b


def every_sign(x, y):
    a, b, c, d, e, f = x * 1, x * 2, x * 3, x * 4, x * 5, x * 6
    a += y
    b -= y
    c *= y
    d /= y
    e //= y
    f %= y
    return a, b, c, d, e, f


def power_is_new(x, y):
    v = x
    v **= 2
    return v, x


def product_is_new(x, y):
    v = x
    v @= y
    return v, x


def bits_are_new(x, y):
    v = x > 1
    w = v
    w &= y > 15
    return w, v.astype(ms.float32)


def sequence_is_new(x, y):
    v = x
    v += (1, 2, 3)
    return v, x


def number_on_the_left_is_new(x, y):
    n = 1
    n += x
    return n, x


def with_number(x, y):
    v = x
    v += 1
    v *= np.float32(2)
    return v, x


def with_itself(x, y):
    x += x
    return x


def twice(x, y):
    x += y
    z = x * 2
    x -= 1
    return z, x


def read_before_and_after(x, y):
    z = x * 3
    x += y
    return z + x


def both_arguments(x, y):
    x //= 2.0
    y %= 3.0
    return x, y


def smaller_operand(x, y):
    v = x
    v += y[0]
    return v, x


def more_axes(x, y):
    x += y.reshape(1, 3)
    return x


def zero_dimensional(x, y):
    s = x.sum()
    t = s
    t += y[0]
    return s, t


def float16(x, y):
    v = x.astype(ms.float16)
    w = v
    w += y
    return v.astype(ms.float32), w.astype(ms.float32)


def float16_stays(x, y):
    v = x.astype(ms.float16)
    v += y
    return v


def integer_stays(x, y):
    v = x.astype(ms.int32)
    w = v
    w += 1.5
    w /= 2
    w *= y
    return v, w


def bool_has_no_sum(x, y):
    v = x > 1
    v += 1
    return v


def made_inside(x, y):
    c = ops.zeros((3,), ms.float32)
    d = c
    for _i in range(3):
        d += x
    return c, d


def in_tuple(x, y):
    t = (x, y)
    a, b = t
    a += b
    return t


def in_list(x, y):
    held = [x, y]
    held[0] += y
    return held, x


def in_dict(x, y):
    held = {"a": x}
    held["a"] += y
    return held["a"], x


def collected(x, y):
    found = []
    h = x * 1
    for _i in range(3):
        h += y
        found.append(h)
    return found


def collected_new(x, y):
    found = []
    h = x * 1
    for _i in range(3):
        h = h + y
        found.append(h)
    return found


def in_helper(x, y):
    def helper(a):
        a *= 2
        return a + 1

    r = helper(x)
    return r + x


def in_helper_without_result(x, y):
    def helper(a, i):
        a += 1

    helper(x, 0)
    return x


def view_is_a_copy(x, y):
    v = x[0:1]
    v += y[0:1]
    r = x.reshape(3, 1)
    r += 1
    return v, r, x


def in_branch(x, y):
    if x.sum() > 100:
        x += y
    else:
        x -= y
    return x


def of_computed_in_branch(x, y):
    z = x * 1
    w = z
    if x.sum() > 1:
        z += y
    return z, w


def in_branches_of_a_loop(x, y):
    z = x
    for i in range(3):
        if y[i] > 15:
            z += y
    return z, x


def residual(x, y):
    out = ops.relu(x)
    identity = x
    out += identity
    return ops.relu(out)


def both_ways(x, y):
    r = ops.relu(x)
    r += x
    x += r
    return r, x


def mask(x, y):
    m = (x > 1).astype(ms.float32)
    k = m
    m *= -1e4
    m -= y
    return m + k


def parts(x, y):
    a, b = ops.split(ops.stack([x, y]), 1)
    a += b
    return a, b


# -- operations that write -------------------------------------------------------------------------------------------
def add_(x, y):
    x.add_(y)
    return x


def copy_(x, y):
    x.copy_(y)
    return x * 2


# -- assignments by index --------------------------------------------------------------------------------------------
def item(x, y):
    x[0] = 7
    return x


def item_of_other_name(x, y):
    v = x
    v[0] = 7
    return x, v


def item_added(x, y):
    z = x * 2
    w = z
    z[1] += 5
    return z, w


def item_in_helper(x, y):
    def helper(a):
        a[0] = 9
        return a

    b = helper(x)
    return b, x


def item_in_helper_without_result(x, y):
    def helper(a, i):
        a[i] = 9

    helper(x, 0)
    return x


def helper_of_module(a):
    a[2] = 77
    return a


def item_in_helper_of_module(x, y):
    z = x * 1
    return helper_of_module(z) + z


def item_after_list(x, y):
    held = [x]
    x[0] = 9
    return held, x


def item_of_list(x, y):
    held = [x, y]
    held[0][0] = 9
    return held, x


def item_of_dict(x, y):
    held = {"k": x}
    held["k"][0] = 4
    return held["k"], x


def item_in_branch(x, y):
    z = x * 2
    w = z
    if x.sum() > 0:
        z[1] = 5
    return z, w


def items_in_loop(x, y):
    z = x * 2
    w = z
    for i in range(3):
        z[i] = y[i]
    return z, w


def items_in_loop_on_tensors(x, y):
    z = x * 2
    w = z
    i = x.sum() * 0
    while i < 3:
        z[0] = y[1]
        i = i + 1
    return z, w


def item_of_part(x, y):
    z = ops.stack([x, y])
    r = z[0]
    r[0] = 100
    z[1][1] = 50
    return z, r


def items_by_mask(x, y):
    z = x
    z[x > 1] = 0
    return x, z


def every_item(x, y):
    z, w = x, y
    z[...] = 3
    w[:] = 4
    return x, z, y, w


def items_crosswise(x, y):
    z, w = x, y
    z[0] = w[0]
    w[1] = z[1]
    return x, y, z, w


def item_between_writes(x, y):
    z = x
    z.add_(1)
    z[0] = 5
    z.add_(1)
    return x, z


def item_of_copy(x, y):
    z = x.copy()
    z[0] = 1
    return x, z


def item_of_global(x, y):
    GLOBAL[0] = 100
    return GLOBAL + x


def item_of_globals_other_name(x, y):
    g = GLOBAL
    g[1] = 100
    return GLOBAL + x, g


FUNCTIONS = (
    argument, other_name, other_name_of_other, of_computed, chained_names, every_sign, power_is_new, product_is_new,
    bits_are_new, sequence_is_new, number_on_the_left_is_new, with_number, with_itself, twice, read_before_and_after,
    both_arguments, smaller_operand, more_axes, zero_dimensional, float16, float16_stays,
    integer_stays, bool_has_no_sum, made_inside, in_tuple, in_list, in_dict, collected,
    collected_new, in_helper, in_helper_without_result, view_is_a_copy, in_branch, of_computed_in_branch,
    in_branches_of_a_loop, residual, both_ways, mask, parts, add_, copy_, item, item_of_other_name, item_added,
    item_in_helper, item_in_helper_without_result, item_in_helper_of_module, item_after_list, item_of_list,
    item_of_dict, item_in_branch, items_in_loop, items_in_loop_on_tensors, item_of_part, items_by_mask,
    every_item, items_crosswise, item_between_writes, item_of_copy, item_of_global, item_of_globals_other_name,
)  # fmt: skip


# -- running them ----------------------------------------------------------------------------------------------------
def shown(value):
    """A result as JSON has it: dtype and values of each Tensor."""
    if isinstance(value, (tuple, list)):
        return [shown(item) for item in value]
    return [str(value.dtype), value.asnumpy().tolist()]


def inputs():
    return Tensor(np.array([1.0, 2.0, 3.0]), ms.float32), Tensor(np.array([10.0, 20.0, 30.0]), ms.float32)


def answer(run, *seen):
    """What `run(x, y)` gives, and what its arguments and `seen()` are after it; the class of its exception."""
    x, y = inputs()
    try:
        out = shown(run(x, y))
    except Exception as error:
        return type(error).__name__
    return [out, shown([x, y, *[each for get in seen for each in get()]])]


def of_function(function):
    """The answers of a compiled function, at two calls, and of its gradient in GRAPH_MODE."""
    compiled = ms.jit(function)
    calls = [answer(compiled, lambda: [GLOBAL]) for _ in range(2)]
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return {"calls": calls, "gradient": answer(ms.grad(function, (0, 1)))}
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def of_cell(kind):
    """The answers of a Cell in GRAPH_MODE at two calls, and of its gradient for inputs and weights."""
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = kind()
        calls = [answer(net, lambda: [net.w, net.c]) for _ in range(2)]
        other = kind()
        gradient = ms.grad(other, (0, 1), other.trainable_params())
        return {"calls": calls, "gradient": answer(gradient, lambda: [other.w, other.c])}
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def main(path):
    found = {function.__name__: of_function(function) for function in FUNCTIONS}
    found.update({kind.__name__: of_cell(kind) for kind in CELLS})
    with open(path, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in found.items()) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1])
