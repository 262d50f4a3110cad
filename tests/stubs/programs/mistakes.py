"""Mistakes that a type checker must find: one on each line that says so."""

import ms_compat as ms
from ms_compat import Tensor, mint, nn, ops
from ms_compat import numpy as mnp

x = Tensor([[1.0, 2.0], [3.0, 4.0]])
ops.relux(x)  # mistake
x.abss()  # mistake
ops.matmul(x)  # mistake
ops.MatMul(transpose_c=True)  # mistake
nn.Dense(3)  # mistake
nn.NoSuchLayer()  # mistake
ms.Modle(nn.ReLU())  # mistake
ops.softmax(x, axis="rows")  # mistake
mint.no_such_function(x)  # mistake
ops.relu("text")  # mistake
nn.Conv2d(3, 8, "three")  # mistake
x.reshape("a", 2)  # mistake
print(mnp.no_such_name)  # mistake
nn.Dropout(p="half")  # mistake
x.sum(axis="all")  # mistake
