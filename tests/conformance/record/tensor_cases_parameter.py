"""Cases: Parameter and ParameterTuple. One case a line; `setup >> expression`."""

# ruff: noqa: E501 - one case a line

PARAMETER = r"""
Parameter(Tensor([1.0, 2.0]))
Parameter(Tensor([1.0, 2.0])).name
Parameter(Tensor([1.0]), name='w').name
Parameter(Tensor([1.0]), 'w').name
Parameter(Tensor([1.0]), name=None).name
Parameter(Tensor([1.0]), name='').name
Parameter(Tensor([1.0]), name=' ').name
Parameter(Tensor([1.0]), name=3)
Parameter(Tensor([1.0]), name=Tensor(1))
Parameter(Tensor([1.0]), name='a' * 2000)
len(Parameter(Tensor([1.0]), name='a' * 1000).name)
Parameter(Tensor([1.0]), name='a b.c$d').name
Parameter(default_input=Tensor([1.0]), name='w')
Parameter(1, name='w')
Parameter(1.5, name='w')
Parameter(True, name='w')
Parameter([1, 2], name='w')
Parameter([1.5, 2], name='w')
Parameter((1, 2), name='w')
Parameter(np.array([1, 2], np.int8), name='w')
Parameter(np.float64(1.5), name='w')
Parameter(np.array([1.5]), name='w')
Parameter('abc', name='w')
Parameter(None, name='w')
Parameter(object(), name='w')
Parameter({}, name='w')
Parameter(name='w')
Parameter()
Parameter([[1, 2], [3]], name='w')
Parameter(Tensor([1, 2], ms.int32), name='w')
Parameter(Tensor([True]), name='w')
Parameter(Tensor([1j]), name='w')
Parameter(Tensor([1.0]), name='w', requires_grad=False).requires_grad
Parameter(Tensor([1.0]), name='w').requires_grad
Parameter(Tensor([1]), name='w').requires_grad
Parameter(Tensor([1.0]), name='w', requires_grad=1)
Parameter(Tensor([1.0]), name='w', requires_grad='yes')
Parameter(Tensor([1.0]), 'w', False).requires_grad
Parameter(Tensor([1.0]), name='w', layerwise_parallel=True).layerwise_parallel
Parameter(Tensor([1.0]), name='w', layerwise_parallel=1)
Parameter(Tensor([1.0]), name='w', parallel_optimizer=False).parallel_optimizer
Parameter(Tensor([1.0]), name='w', storage_format='NC1HWC0')
Parameter(Tensor([1.0]), name='w', foo=1)
Parameter(Tensor([1.0]), name='w', device='CPU')
Parameter(Parameter(Tensor([1.0]), name='a'), name='b').name
Parameter(Parameter(Tensor([1.0]), name='a')).name
Parameter(Parameter(Tensor([1.0]), name='a', requires_grad=False), name='b').requires_grad
Parameter(Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One()), name='w')
Parameter(Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One()), name='w').asnumpy()
Parameter(ms.common.initializer.initializer('ones', (2, 2)), name='w')
Parameter(ms.common.initializer.initializer('ones', (2, 2)), name='w').init_data()
Parameter(ms.common.initializer.initializer('ones', (2, 2)), name='w').has_init
Parameter(ms.common.initializer.initializer('ones', (2, 2), ms.float16), name='w') + 1
p = Parameter(ms.common.initializer.initializer('ones', (2, 2)), name='w') >> p.shape, p.dtype, p.is_init, p.has_init
p = Parameter(ms.common.initializer.initializer('ones', (2, 2)), name='w'); q = p.init_data() >> p is q, p.is_init, p.has_init
p = Parameter(Tensor([1.0]), name='w') >> p.init_data() is p, p.is_init, p.has_init
p = Parameter(Tensor([1.0]), name='w') >> (p.unique, p.comm_fusion, p.parallel_optimizer, p.layerwise_parallel)
p = Parameter(Tensor([1.0]), name='w') >> (p.cloned_obj, p.inited_param, p.sliced, p.param_info is None)
p = Parameter(Tensor([1.0]), name='w') >> (p.shape, p.dtype, p.size, p.ndim)
p = Parameter(Tensor([1.0]), name='w') >> (type(p).__name__, isinstance(p, Tensor), isinstance(p, Parameter), type(p) is Parameter)
p = Parameter(Tensor([1.0]), name='w') >> type(p).__mro__[-1] is object, 'Tensor' in [c.__name__ for c in type(p).__mro__]
p = Parameter(Tensor([1.0]), name='w') >> p.data
p = Parameter(Tensor([1.0]), name='w') >> p.data is p
p = Parameter(Tensor([1.0]), name='w') >> p.value()
p = Parameter(Tensor([1.0]), name='w') >> type(p.value()).__name__, type(p + 1).__name__, type(p.asnumpy()).__name__
p = Parameter(Tensor([1.0]), name='w') >> p + 1, 2 * p, -p, p == 1
p = Parameter(Tensor([1.0]), name='w'); p.name = 'v' >> p.name
p = Parameter(Tensor([1.0]), name='w'); p.name = 3 >> p.name
p = Parameter(Tensor([1.0]), name='w'); p.name = None >> p.name
p = Parameter(Tensor([1.0]), name='w'); p.name = '' >> p.name
p = Parameter(Tensor([1.0]), name='w'); p.requires_grad = False >> p.requires_grad
p = Parameter(Tensor([1.0]), name='w'); p.requires_grad = 1 >> p.requires_grad
p = Parameter(Tensor([1.0]), name='w'); p.requires_grad = 'a' >> p.requires_grad
p = Parameter(Tensor([1.0]), name='w'); p.layerwise_parallel = 1 >> p
p = Parameter(Tensor([1.0]), name='w'); p.parallel_optimizer = 1 >> p
p = Parameter(Tensor([1.0]), name='w'); p.comm_fusion = 2 >> p.comm_fusion
p = Parameter(Tensor([1.0]), name='w'); p.comm_fusion = -1 >> p.comm_fusion
p = Parameter(Tensor([1.0]), name='w'); p.foo = 3 >> p.foo
p = Parameter(Tensor([1.0, 2]), name='w'); r = p.set_data(Tensor([3.0, 4])) >> p, r is p, p.name
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Parameter(Tensor([3.0, 4]), name='v')) >> p, p.name
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([3.0])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([[3.0, 4]])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([3.0, 4, 5])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([3.0, 4, 5]), slice_shape=True) >> p, p.shape
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([3.0]), True) >> p, p.shape
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([[3.0]]), slice_shape=True) >> p, p.shape
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([3, 4])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([3, 4], ms.int32)) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([3, 4], ms.float16)) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([3, 4], ms.float64)) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([3, 4], ms.bfloat16)) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([True, False])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(Tensor([1j, 2])) >> p
p = Parameter(Tensor([1, 2], ms.float16), name='w'); p.set_data(Tensor([3.0, 4])) >> p
p = Parameter(Tensor([1, 2], ms.float16), name='w'); p.set_data(Tensor([3, 4], ms.float64)) >> p
p = Parameter(Tensor([1, 2], ms.float64), name='w'); p.set_data(Tensor([3.0, 4])) >> p
p = Parameter(Tensor([1, 2], ms.bfloat16), name='w'); p.set_data(Tensor([3.0, 4])) >> p
p = Parameter(Tensor([1, 2], ms.int32), name='w'); p.set_data(Tensor([3.0, 4])) >> p
p = Parameter(Tensor([1, 2], ms.int32), name='w'); p.set_data(Tensor([3, 4])) >> p
p = Parameter(Tensor([1, 2], ms.int64), name='w'); p.set_data(Tensor([3, 4], ms.int32)) >> p
p = Parameter(Tensor([1, 2], ms.int8), name='w'); p.set_data(Tensor([3, 4])) >> p
p = Parameter(Tensor([1, 2], ms.int32), name='w'); p.set_data(Tensor([3, 4], ms.uint8)) >> p
p = Parameter(Tensor([True, False]), name='w'); p.set_data(Tensor([3, 4])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data([3.0, 4]) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(np.array([3.0, 4], np.float32)) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(5.0) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(None) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data('a') >> p
p = Parameter(Tensor(1.0), name='w'); p.set_data(5.0) >> p
p = Parameter(Tensor(1.0), name='w'); p.set_data(5) >> p
p = Parameter(Tensor(1), name='w'); p.set_data(5) >> p
p = Parameter(Tensor(1.0), name='w'); p.set_data(Tensor(5.0)) >> p
p = Parameter(Tensor(1.0), name='w'); p.set_data(Tensor([5.0])) >> p
p = Parameter(Tensor([1.0]), name='w'); p.set_data(Tensor(5.0)) >> p
p = Parameter(1, name='w'); p.set_data(Tensor(5)) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(ms.common.initializer.initializer('ones', (2,))) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.set_data(ms.common.initializer.initializer('ones', (3,))) >> p
p = Parameter(ms.common.initializer.initializer('ones', (2,)), name='w'); p.set_data(Tensor([3.0, 4])) >> p, p.has_init
p = Parameter(ms.common.initializer.initializer('ones', (2,)), name='w'); p.set_data(Tensor([3, 4])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.data = Tensor([3.0, 4]) >> p, p.name
p = Parameter(Tensor([1.0, 2]), name='w'); p.data = Tensor([3.0]) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.value = Tensor([3.0]) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); r = p.assign_value(Tensor([3.0, 4])) >> p, r is p
p = Parameter(Tensor([1.0, 2]), name='w'); p.assign_value(Tensor([3.0])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.assign_value(Tensor([3, 4])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.assign_value([3.0, 4]) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); ops.assign(p, Tensor([3.0, 4])) >> p
p = Parameter(Tensor([1.0, 2]), name='w') >> ops.assign(p, Tensor([3.0, 4]))
p = Parameter(Tensor([1.0, 2]), name='w'); ops.assign(p, Tensor([3, 4])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); ops.assign(p, Tensor([3.0])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); ops.assign_add(p, Tensor([3.0, 4])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); ops.assign_sub(p, Tensor([3.0, 4])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); ops.assign_add(p, 1.0) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); ops.assign_add(p, Tensor(1)) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.copy_(Tensor([3.0, 4])) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); p.add_(1) >> p
p = Parameter(Tensor([1.0, 2]), name='w'); q = p.clone() >> q, q.name, type(q).__name__
p = Parameter(Tensor([1.0, 2]), name='w'); q = p.clone('zeros') >> q, q.name
p = Parameter(Tensor([1.0, 2]), name='w'); q = p.clone('ones') >> q
p = Parameter(Tensor([1.0, 2]), name='w'); q = p.clone(init='same') >> q
p = Parameter(Tensor([1.0, 2]), name='w'); q = p.clone(init=5) >> q
p = Parameter(Tensor([1.0, 2]), name='w'); q = p.clone(Tensor([7.0, 8])) >> q
p = Parameter(Tensor([1.0, 2]), name='w'); q = p.clone('foo') >> q
p = Parameter(Tensor([1.0, 2]), name='w'); q = p.clone(None) >> q
p = Parameter(Tensor([1.0, 2]), name='w'); q = p.clone(); q[0] = 9 >> p, q
p = Parameter(Tensor([1.0, 2]), name='w', requires_grad=False); q = p.clone() >> q.requires_grad
p = Parameter(Tensor([1.0, 2]), name='w'); a = p.clone(); b = p.clone() >> a.name, b.name, len(p.cloned_obj)
p = Parameter(Tensor([1.0, 2]), name='w'); q = p.copy() >> q, type(q).__name__
p = Parameter(Tensor([1, 2]), name='w'); q = p.clone('ones') >> q
p = Parameter(Tensor([1.0]), name='w') >> p == p, p is p, p != p
p = Parameter(Tensor([1.0]), name='w'); q = Parameter(Tensor([1.0]), name='w') >> p == q, p in [q]
p = Parameter(Tensor([1.0]), name='w') >> p in [p], p in {p}, len({p, p})
p = Parameter(Tensor([1.0]), name='w') >> [x.name for x in sorted([p, Parameter(Tensor([0.0]), name='a')], key=lambda x: x.name)]
p = Parameter(Tensor([1.0, 2]), name='w') >> [type(x).__name__ for x in p]
p = Parameter(Tensor([1.0, 2]), name='w') >> (type(p[0]).__name__, type(p.reshape(2, 1)).__name__, type(p.T).__name__, type(p.astype(ms.float16)).__name__)
p = Parameter(Tensor([1.0, 2]), name='w') >> (type(p.view(2, 1)).__name__, type(p.copy()).__name__, type(Tensor(p)).__name__, type(ops.identity(p)).__name__)
p = Parameter(Tensor([1.0, 2]), name='w') >> float(p[0]), int(p.sum()), p.tolist(), len(p)
p = Parameter(Tensor([1.0, 2]), name='w') >> p.has_init, p.is_init
p = Parameter(Tensor([1.0, 2]), name='w') >> p.grad
p = Parameter(Tensor([1.0, 2]), name='w') >> p.init_mode
p = Parameter(Tensor([1.0, 2]), name='w') >> p.key
p = Parameter(Tensor([1.0, 2]), name='w'); p.from_ckpt = True >> p.from_ckpt
a = np.array([1.0, 2], np.float32); p = Parameter(a, name='w'); a[0] = 9 >> p
p = Parameter(Tensor([1.0, 2]), name='w'); a = p.asnumpy(); p.set_data(Tensor([5.0, 6])) >> a, p
p = Parameter(Tensor([1.0, 2]), name='w')\ntry:\n    p.set_data(Tensor([3.0]))\nexcept ValueError:\n    pass >> p
ms.common.parameter.is_parameter(1)
ParameterTuple([Parameter(Tensor([1.0]), name='a'), Parameter(Tensor([2.0]), name='b')])
ParameterTuple((Parameter(Tensor([1.0]), name='a'),))
ParameterTuple([])
ParameterTuple(())
ParameterTuple()
ParameterTuple(Parameter(Tensor([1.0]), name='a'))
ParameterTuple([Parameter(Tensor([1.0]), name='a'), Parameter(Tensor([2.0]), name='a')])
p = Parameter(Tensor([1.0]), name='a') >> ParameterTuple([p, p])
ParameterTuple([Parameter(Tensor([1.0])), Parameter(Tensor([2.0]))])
[q.name for q in ParameterTuple([Parameter(Tensor([1.0])), Parameter(Tensor([2.0]))])]
ParameterTuple([Tensor([1.0])])
ParameterTuple([1, 2])
ParameterTuple([None])
ParameterTuple('ab')
ParameterTuple(3)
ParameterTuple(p for p in [Parameter(Tensor([1.0]), name='a')])
ParameterTuple({'a': Parameter(Tensor([1.0]), name='a')})
t = ParameterTuple([Parameter(Tensor([1.0]), name='a'), Parameter(Tensor([2.0]), name='b')]) >> len(t), t[0], isinstance(t, tuple), type(t[:1]).__name__
t = ParameterTuple([Parameter(Tensor([1.0]), name='a'), Parameter(Tensor([2.0]), name='b')]) >> [p.name for p in t]
t = ParameterTuple([Parameter(Tensor([1.0]), name='a')]) >> type(t + t).__name__
t = ParameterTuple([Parameter(Tensor([1.0]), name='a')]) >> t + (1,)
t = ParameterTuple([Parameter(Tensor([1.0]), name='a'), Parameter(Tensor([2.0]), name='b')]); c = t.clone('moments', 'zeros') >> c, [p.name for p in c], type(c).__name__
t = ParameterTuple([Parameter(Tensor([1.0]), name='a')]); c = t.clone('m') >> c, [p.name for p in c]
t = ParameterTuple([Parameter(Tensor([1.0]), name='a')]); c = t.clone(prefix='m', init='ones') >> c, [p.name for p in c]
t = ParameterTuple([Parameter(Tensor([1.0]), name='a')]); c = t.clone(3) >> c
t = ParameterTuple([Parameter(Tensor([1.0]), name='a')]); c = t.clone() >> c
t = ParameterTuple([Parameter(Tensor([1.0]), name='a', requires_grad=False)]); c = t.clone('m') >> c[0].requires_grad
t = ParameterTuple([Parameter(Tensor([1.0]), name='a')]) >> hash(t) == hash(t), t == t
class N(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.w = Parameter(Tensor([1.0]))\nn = N() >> n.w.name, [p.name for p in n.get_parameters()]
class N(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.w = Parameter(Tensor([1.0]), name='own')\nn = N() >> n.w.name, [p.name for p in n.trainable_params()]
class N(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.a = Parameter(Tensor([1.0]), name='x')\n        self.b = Parameter(Tensor([1.0]), name='x')\nn = N() >> n.b.name
class N(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.w = Parameter(Tensor([1.0]))\nn = N(); n.w = Tensor([5.0]) >> n.w, n.w.name
class N(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.w = Parameter(Tensor([1.0]))\nn = N(); n.w = 5 >> n.w
"""
