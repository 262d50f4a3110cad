"""Cells that write in place in compiled code, beside the functions of `in_place_programs.py`, which runs both."""

import numpy as np

try:
    import mindspore as ms
    from mindspore import Parameter, Tensor, nn
except ImportError:
    import ms_compat as ms
    from ms_compat import Parameter, Tensor, nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.array([1.0, 2.0, 3.0]), ms.float32), name="w")
        self.c = Tensor(np.array([1.0, 1.0, 1.0]), ms.float32)


class NameOfParameter(Net):
    def construct(self, x, y):
        w = self.w
        w += y
        return w, self.w + 0


class OfParameter(Net):
    def construct(self, x, y):
        self.w += y
        return self.w + 0


class ReadBesideParameter(Net):
    def construct(self, x, y):
        before = self.w * x
        self.w += y
        return before.sum(), self.w * x


class CopyOfParameter(Net):
    def construct(self, x, y):
        w = self.w * 1
        w += y
        return w, self.w + 0


class WithParameter(Net):
    def construct(self, x, y):
        out = x
        out += self.w
        out *= self.w
        return out * 2


class InLoop(Net):
    def construct(self, x, y):
        for _i in range(2):
            self.w *= y
            x += self.w
        return x


class InBranch(Net):
    def construct(self, x, y):
        if x.sum() > 0:
            self.w += y
        return self.w * 1


class Divided(Net):
    def construct(self, x, y):
        self.w /= y
        self.w -= x
        return self.w.sum()


class HalfPrecision(Net):
    def construct(self, x, y):
        p = x.astype(ms.float16)
        p += y
        p *= self.w
        return p


class InMethod(Net):
    def construct(self, x, y):
        y += self.helper(x)
        return y + x

    def helper(self, a):
        a *= 3
        return a


class Inner(nn.Cell):
    def construct(self, a):
        a += 1
        return a * 2


class InCell(Net):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def construct(self, x, y):
        z = x * 1
        r = self.inner(z)
        return r, z, self.inner(x), x


class NameOfAttribute(Net):
    def construct(self, x, y):
        c = self.c
        c += 1
        return c, self.c + 0


class OfAttribute(Net):
    def construct(self, x, y):
        self.c += 1
        return self.c * 1


class AttributeAfterAssignment(Net):
    def construct(self, x, y):
        self.c = self.c * 2
        self.c += 1
        return self.c * 1


class AttributeBeforeAssignment(Net):
    def construct(self, x, y):
        self.c += 1
        self.c = self.c * 2
        return self.c * 1


class AttributeInBranch(Net):
    def construct(self, x, y):
        if x.sum() > 0:
            self.c += 1
        return self.c * 1


class ItemOfParameter(Net):
    def construct(self, x, y):
        self.w[0] += 5
        self.w[1] -= y[0]
        return self.w + 0


class ItemOfNameOfParameter(Net):
    def construct(self, x, y):
        w = self.w
        w[0] = 5
        return w, self.w + 0


class ItemOfParameterInHelper(Net):
    def construct(self, x, y):
        def helper(p):
            p[1] = 50
            return p

        return helper(self.w), self.w + 0


class ItemOfAttribute(Net):
    def construct(self, x, y):
        self.c[0] = 5
        return self.c + 0


class ItemOfNameOfAttribute(Net):
    def construct(self, x, y):
        c = self.c
        c[0] = 5
        return c, self.c + 0


CELLS = (
    NameOfParameter, OfParameter, ReadBesideParameter, CopyOfParameter, WithParameter, InLoop, InBranch, Divided,
    HalfPrecision, InMethod, InCell, NameOfAttribute, OfAttribute, AttributeAfterAssignment, AttributeBeforeAssignment,
    AttributeInBranch, ItemOfParameter, ItemOfNameOfParameter, ItemOfParameterInHelper, ItemOfAttribute,
    ItemOfNameOfAttribute,
)  # fmt: skip
