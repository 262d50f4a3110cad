"""Records vmap_cells.json: `vmap` over several Cells at once, with inputs that are mapped and that are not."""

import itertools

from tests.conformance.record.nn_recorder import Recorder

rec = Recorder(
    __file__,
    "vmap_cells.json",
    "vmap over a CellList: axes of inputs and outputs, gradients.",
    """
class Product(nn.Cell):
    def __init__(self, k):
        super().__init__()
        self.w = Parameter(Tensor(np.arange(6).reshape(3, 2) * k, ms.float32), name="w")

    def construct(self, a):
        return ops.matmul(a, self.w)


class Two(nn.Cell):
    def __init__(self, k):
        super().__init__()
        self.b = Parameter(Tensor([1.0, k], ms.float32), name="b")

    def construct(self, a, c):
        return ops.add(a[..., :2], self.b) * c, a.sum()


def cells(kind):
    return nn.CellList([kind(1), kind(2), kind(3)])


A = Tensor(np.arange(12).reshape(4, 3), ms.float32)
B = Tensor(np.arange(36).reshape(3, 4, 3), ms.float32)
C = Tensor([1.0, 2.0])
D = Tensor(np.arange(6).reshape(3, 2), ms.float32)
""",
)
for given, into, out in itertools.product(("A", "B"), (None, 0, (None,), (0,), -3), (0, 1, -1)):
    if given == "B" and into in (None, (None,)):
        continue  # MindSpore's rule for `matmul` takes the first axis of such an input for the mapped one
    call = f"ms.vmap(cells(Product), in_axes={into}, out_axes={out})({given})"
    rec.case(call, call)
for given, into, out in itertools.product(("A, C", "B, D", "B, C", "A, D"), (0, (0, None)), (0, (1, 0))):
    call = f"ms.vmap(cells(Two), in_axes={into}, out_axes={out})({given})"
    rec.case(call, call)
# gradients by the weights are zero in MindSpore
rec.case(
    "gradient, not mapped",
    "ms.grad(lambda a: (ms.vmap(cells(Product), in_axes=None)(a) ** 2).sum())(A)",
    modes=("pynative",),
)
rec.case(
    "gradient, mapped", "ms.grad(lambda a: (ms.vmap(cells(Product), in_axes=0)(a) ** 2).sum())(B)", modes=("pynative",)
)

rec.write()
