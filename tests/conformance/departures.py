"""Where ms_compat departs from what MindSpore 2.10 was recorded to do, and why: the one table of departures.

A row is the expression or the id of a recorded case, or what either begins with, and the reason. `judge` fails where a
case that has a row no longer departs, so that no row outlives its reason. Tables that end in WIDER hold parts of
expressions that MindSpore refuses and ms_compat answers (`replay.check_stated` asserts that it does).
"""

from collections.abc import Mapping, Sequence


def reason_of(name: str, table: Mapping[str, str]) -> str | None:
    """The reason of the row that a case's expression or id begins with; None without one."""
    return next((why for start, why in table.items() if name.startswith(start)), None)


def judge(name: str, found: Sequence[str], table: Mapping[str, str]) -> None:
    """Fail unless the case agrees with its recording, or has a row in the table and departs.

    Args:
        name: the case's expression or id.
        found: the differences from the recording.
        table: the rows of the recording.
    """
    reason = reason_of(name, table)
    if reason is None and found:
        raise AssertionError("\n  ".join([name, *found]))
    if reason is not None and not found:
        raise AssertionError(f"{name} no longer departs from MindSpore: strike its row ({reason})")


# -- tests/_autograd/test_complex.py ----------------------------------------------------------------------------------
# MindSpore's gradients of complex functions are conjugates but for these, which contradict those of what they equal.
COMPLEX_GRADIENTS = {
    "ops.xdivy(x, y)": "the gradient of x / y, conjugated as MindSpore's own x / y",
    "ops.SquaredDifference()(x, y)": "conjugated as all others",
    "ops.cumprod(x, 0)": "likewise",
    "ops.inverse(m)": "likewise",
    "ops.BatchMatMul(transpose_a=True)(m, n)": "the gradient of matmul, conjugated as MindSpore's own matmul",
}

# -- tests/ops/recorded.py, samples.py --------------------------------------------------------------------------------
# Part of an expression that MindSpore's CPU backend refuses and ms_compat answers -> why it may.
OPS_WIDER = {
    "exp(i)": "integers are computed in Float32",
    "log(i)": "likewise",
    "logsumexp(i,1)": "likewise",
    "ops.ceil(i)": "an integer is its own ceiling",
    "ops.add(b,b)": "types are promoted as by the operator +",
    "ops.max(b)": "as with any",
    "out_int32=True": "MindSpore's own kernel fails on 32-bit results",
    "bucketize": "likewise",
    "x.prod(axis=0,keep_dims=True)": "both spellings of an argument are taken everywhere",
    "mint.vdot": "MindSpore has no kernel for it",
}
OPS = {
    "ops.masked_select(x,x)": "TypeError for a mask that is not Bool, where MindSpore's kernel fails to start",
}

# -- tests/ops/recorded.py, science_samples.py ------------------------------------------------------------------------
# Part of an expression that MindSpore refuses and ms_compat answers -> why it may.
OPS_SCIENCE_WIDER = {
    "value=7.0": "both spellings of an argument are taken everywhere",
    "ops.cond(x)": "the 2-norm's condition needs no inverse",
    "adaptive_max_pool3d(q,(1,2,None))": "None keeps a size, as documented",
}
OPS_SCIENCE = {
    "ops.rfft(c)": "TypeError: the imaginary part would be dropped",
    "mnp.fft.ihfftn(x)": "MindSpore calls hfftn",
}
OPS_SCIENCE |= {
    f"x.scatter(1,Tensor([[0],[2]]),Tensor([[9.],[8.]]),reduce='{way}')": "MindSpore's CPU kernel leaves reduce out"
    for way in ("add", "multiply")
}

# -- tests/ops/recorded.py, counting_samples.py -----------------------------------------------------------------------
# Part of an expression that MindSpore refuses and ms_compat answers -> why it may.
OPS_COUNTING_WIDER = {
    "ops.hyper_add((x,x),(x,1))": "a Tensor and a number, as the operator + takes them",
    "ops.Median(True,0,True)(x)": "MindSpore cannot infer the shape",
}
OPS_COUNTING = {"changed(lambda t:t.set_(t+1))": "returns the tensor itself, as the other methods in place do"}

# -- tests/ops/recorded.py, network_samples.py ------------------------------------------------------------------------
_ZEROED = "the loss of labels that do not fit is zero as documented; MindSpore's CPU kernel zeroes the gradient alone"
OPS_NETWORK = {
    "ops.ROIAlign(3, 2, 0.75, 0, 0)(picture, rois[:1])": "one point in a bin smaller than a pixel instead of NaN",
    "ops.ROIAlign(2, 2, 1.0)(picture[0], rois)": "MindSpore reads beyond an image without a batch",
    'ops.ctc_loss(logp, ops.ones_like(labels), ints(4, 7, 7), counts, 0, "none", True)': _ZEROED,
    'ops.ctc_loss(logp, ops.ones_like(labels), ints(4, 7, 7), counts, 0, "mean", True)': _ZEROED,
    'ops.CTCLossV2(0, "none", True)(logp, ops.ones_like(labels), ints(4, 7, 7), counts)': _ZEROED,
    "ops.LSTM(3, 4, 1, True, False, 0.0)(seq, h0, c0, flat(144))[:3]": "two biases per gate are added, as on GPUs",
    "ops.LSTM(3, 4, 1, True, True, 0.0)(seq, wave(2, 2, 4), wave(2, 2, 4), flat(288))[:3]": "likewise",
    "ops.LSTM(3, 4, 2, False, False, 0.0)(seq, wave(2, 2, 4), wave(2, 2, 4), flat(240))[:3]": "oneDNN has one layer",
    "ops.LSTM(3, 4, 1, False, False, 0.0)(seq, h0, c0, flat(111))": "MindSpore reads beyond the weights",
}

# -- tests/ops/recorded.py, numpy_samples.py --------------------------------------------------------------------------
NUMPY = {
    "mnp.tanh(x=i)": "MindSpore's approximation exceeds 1",
    "mnp.amax(n,1)": "NaN wins everywhere, not only at some places of a row",
    "mnp.amin(n,1)": "likewise",
    "mnp.max(n,1)": "likewise",
    "mnp.min(n,1)": "likewise",
    "mnp.nanvar(b)": "Bool counts, as in sum",
    "mnp.cumprod([1,2,3])": "a list is Int32 as everywhere in numpy",
    "mnp.trace(v)": "ValueError as of diagonal",
    "mnp.trace(q,axis1=0,axis2=0)": "likewise",
    "mnp.arange(True)": "TypeError: no number",
    "mnp.tri(0)": "a matrix without elements",
    "mnp.array([Tensor(1),2])": "a Tensor in a list is its number",
    "mnp.mgrid[3]": "AttributeError as NumPy's",
    "mnp.mgrid[0:0]": "an empty tensor",
    "mnp.randint(True)": "TypeError: no number",
    "mnp.randn(2,dtype='float')": "'float' is Float32 as everywhere in numpy",
    "mnp.rand(2,dtype=float).dtype": "likewise",
    "mnp.repeat(x,0)": "an empty tensor",
    "mnp.array_split(v,5)": "pieces may be empty, as NumPy's",
    "mnp.array_split(v,0)": "ValueError as of split",
    "mnp.hsplit(v,[1])": "vectors are split along their axis, as by NumPy",
    "mnp.select([],[])": "ValueError: nothing to choose from",
    "mnp.select([b],[i],Tensor(3.))": "a 0-d Tensor is a default",
    "mnp.take(x,[1],5)": "IndexError: there is no such axis",
    "mnp.choose(1,[[1,2],[3,4]])": "a number is a position",
    "mnp.result_type('a')": "TypeError: no dtype for text",
    "mnp.ix_(Tensor([True,False]),k)": "positions of what is True, as NumPy's",
    "mnp.cross(v[:2],v[1:])": "a number, as NumPy's",
    "mnp.cross([1,2],[3,4])": "likewise",
    "mnp.norm(x,2)": "the norms of matrices are there",
    "mnp.norm(x,'nuc')": "likewise",
    "mnp.norm(x,-2)": "likewise",
    "mnp.norm(q,2)": "of the flat tensor",
    "mnp.interp(x,[],[])": "ValueError: no points",
    "mnp.histogram(x,v)": "ValueError: the bins must rise",
    "mnp.histogram(x,0)": "ValueError: no bins",
    "mnp.histogram(x,density=1)": "TypeError: no bool",
    "mnp.pad(v,2,'reflect',reflect_type='a')": "refused",
    "mnp.matrix_power(s,True)": "TypeError: no number",
}

# -- tests/ops/function/sparse/test_sparse.py -------------------------------------------------------------------------
SPARSE = {
    "ops.coo_concat((coo(i8), coo(i8)), 2)": "IndexError, as MindSpore without synchronisation; RuntimeError with it",
    "COOTensor(Tensor([[1, 2], [0, 1], [1, 2]]), four[:3], (3, 4)).coalesce()": "sorted first, which MindSpore's CPU "
    "kernel omits: it answers differently from run to run",
    "COOTensor(Tensor([[0, 0], [0, 0]]), four[:2], (3, 4)) + coo(i8)": "the sum has each coordinate once, in order",
    "coo(i8).add(coo(i8, shape=(3, 5)), Tensor(0, f4))": "ValueError for shapes that differ; MindSpore does not look",
    "coo(i8) + COOTensor(Tensor([[0, 9]]), four[:1], (3, 4))": "ValueError for an index outside, which MindSpore keeps",
    "ops.csr_add(csr(), csr(), Tensor([1, 2], f4), Tensor(2, f4))": "ValueError; MindSpore takes the first element",
    "ops.csr_gather(csr().indptr, csr().indices, grid(1, 5), (4, 5))": "it broadcasts; MindSpore reads past the end",
    "ops.SparseTensorDenseMatmul()(at(i8), four[:2], (3, 4), grid(3, 4))": "ValueError; MindSpore reads past the end",
    "ops.SparseToDense()(at(), four[:2], (3, 4, 5))": "ValueError, as for other shapes that do not fit; RuntimeError",
    "coo() * 2": "TypeError; an AttributeError of int",
    "csr() + 2": "TypeError; an AttributeError of int",
    "coo(i8).add(coo(i8), 0)": "TypeError; an AttributeError of int",
    "RowTensor([0], Tensor([1, 2]), (3, 2))": "TypeError; a RuntimeError of a null pointer",
    "ms.jit(ms.grad(Square()))(coo())": "the gradient's indices are those of the input, where MindSpore has zeros",
}
# What MindSpore refuses on a CPU -> why it may answer.
SPARSE_WIDER = {
    "csr(t=i8).to_coo(), csr(t=i8).sum(1), csr(t=i8).mv(grid(5, 1)), coo(i8).to_csr()": "kernels of Int32 indices only",
    "ops.csr2coo(Tensor([0, 1]), 1), ops.coo2csr(Tensor([0]), 1)": "kernels of Int32 indices only",
    "coo().coalesce(), coo().add(coo(), Tensor(0)), ops.coo_concat((coo(), coo()))": "kernels of Int64 indices only",
    "csr(i4).sum(1), csr(f8).mv(grid(5, 1)), csr().mm(grid(5, 2, t=f8))": "kernels of Float32 only",
    "csr(i4).to_dense(), csr(f2).to_dense(), coo(v=ms.complex64).to_dense()": "kernels of some dtypes only",
    "csr(i4) + csr(i4), coo(i8, f2) + coo(i8, f2), coo(i8, i4).coalesce()": "kernels of some dtypes only",
    "ops.coo_acos(coo(v=i4)), ops.csr_floor(csr(i4))": "the dense function takes integers",
    "csr().mm(Tensor(grid(5, 2)).to_csr()), ops.csr_mm(csr(), csr(), trans_b=True)": "kernels for GPU only",
    "Tensor([[0, 0], [0, 0]], f4).to_csr(), Tensor([[0, 1], [0, 0]], i4).to_csr()": "an empty matrix is one, too",
    "ops.make_coo_tensor(at(), four[:2], (3, 4)), ops.make_row_tensor(Tensor([0]), grid(1, 2), (3, 2))": "no kernel",
    "ops.row_tensor_get_values(row([0], [[1.]])), ops.row_tensor_add(row([0], [[1.]]), row([1], [[1.]]))": "no kernel",
    "scaled(Tensor(3, f4), row([0], [[1.]])), scaled(Tensor(3, f4), coo())": "only compiled",
    "copy.deepcopy(csr()), pickle.loads(pickle.dumps(coo()))": "not MindSpore's objects of C++",
}

# -- tests/nn/recorded.py ---------------------------------------------------------------------------------------------
LAYERS = {
    "SequentialCell/set_grad[": "returns the Cell, as documented, instead of None",
    "nn.SeLU()[": "MindSpore's gradient has the wrong sign below zero",
    "nn.ReLU6()/float64[": "Float64 is accepted",
    "CrossEntropyLoss/int64[": "Int64 labels are accepted",
    "nn.SmoothL1Loss(beta=0.0)/called[": "with beta=0 it is the L1 loss, as documented",
}

# -- tests/nn/recorded.py ---------------------------------------------------------------------------------------------
# Part of an expression that MindSpore refuses and ms_compat answers -> why it may.
LAYER_FACES_WIDER = {
    "nn.AdaptiveMaxPool1d(3)(row[0])": "an input without a batch dimension is accepted, too",
    "nn.LPPool1d(2,2)(q)": "leading axes, of which there may be more",
    "nn.LPPool2d(2,2)(vol)": "likewise",
    "Net().cell_init_args": "every Cell tells how it was made",
}
LAYER_FACES = {
    "nn.ChannelShuffle(2)(x)": "TypeError, as ops.ChannelShuffle",
    "nn.ReplicationPad3d((1,2))": "a wrong value raises ValueError when the object is made; MindSpore raises it at "
    "the first call",
    "nn.DropoutExt(2.)": "likewise",
    "nn.DropoutExt('a')": "a wrong argument raises TypeError when the object is made; MindSpore raises it at the "
    "first call",
    "ms.mindrecord.SUCCESS": "the number that MindSpore's enumeration holds",
    "ms.mindrecord.FAILED": "likewise",
}

# -- tests/nn/recorded.py ---------------------------------------------------------------------------------------------
_MIXED = "a Bool padding mask beside a floating mask leaves positions out, as documented, instead of adding 1"
SPECIAL_LAYERS = {
    "Multihead/both_masks[": _MIXED,
    "TransformerEncoderLayer/masks[": _MIXED,
    "TransformerDecoderLayer/masks[": _MIXED,
    "ClipByNorm/axis[": "with 'axis' each row is clipped by its own norm; MindSpore's CPU kernel takes another row's",
    "SampledSoftmaxLoss/plain[": "sampled classes that are the label are removed, as documented",
    "SampledSoftmaxLoss/mean[": "sampled classes that are the label are removed, as documented",
    "SampledSoftmaxLoss/sum[": "sampled classes that are the label are removed, as documented",
    "nnCTC/impossible[": "the gradient of an impossible alignment is 0, not NaN",
    "nnCTC/zero_infinity[": "'zero_infinity' sets infinite losses to 0, as documented",
    "nnCTC/lists[": "lengths in a tuple are accepted, as documented",
    "FractionalMaxPool2d/none[graph]": "a wrong argument raises ValueError in both modes; MindSpore has another "
    "class in GRAPH_MODE",
}

# -- tests/nn/recorded.py ---------------------------------------------------------------------------------------------
_IN_BOTH = "a 'seq_length' beyond the last step means the last step in both directions; in MindSpore only forwards"
_NO_TENSOR = (
    "an input that must be a Tensor and is not raises TypeError in both modes; MindSpore raises "
    "AttributeError in PYNATIVE_MODE"
)
RNN = {
    **{f"{layer}/lengths_reversed_beyond[": _IN_BOTH for layer in ("RNN", "GRU", "LSTM")},
    **{f"{layer}/lengths_list[": _NO_TENSOR for layer in ("RNN", "GRU", "LSTM")},
    **{f"{layer}/input_list[pynative]": _NO_TENSOR for layer in ("RNN", "GRU", "LSTM")},
    **{
        f"{layer}/lengths_scalar[pynative]": "an input of a wrong shape raises ValueError in both modes, as "
        "MindSpore does in GRAPH_MODE"
        for layer in ("RNN", "GRU", "LSTM")
    },
    **{f"{layer}/state_none[pynative]": _NO_TENSOR for layer in ("RNNCell", "GRUCell")},
}

# -- tests/nn/recorded.py ---------------------------------------------------------------------------------------------
# Expression, or part of one, where MindSpore departs from the definition or cannot answer -> what is done here.
PROBABILITY = {
    "msd.Gumbel(1.0,2.0).prob(v,two,b3)": "parameters given to the method replace the constructor's, as in the "
    "other distributions",
    "msd.HalfNormal().prob(v,one,two)": "values below the mean have the probability 0; MindSpore refuses values "
    "that are not above 0",
    "msd.HalfNormal(0.0,2.0).prob(v,one,two)": "likewise",
    "Bernoulli(0.3).mode()": "MindSpore fails to compare a number with a Tensor",
    "Bernoulli([0.2,0.5,0.9]).mode()": "likewise",
    "msd.LogNormal(0.0,1.0,dtype=ms.float16)": "Float16 in, Float16 out",
}

# -- tests/nn/recorded.py ---------------------------------------------------------------------------------------------
_KERNEL = "MindSpore's CPU kernel departs from the formula of its own reference: "
OPTIMIZERS = {
    "Momentum(0.05, 0.9, use_nesterov": _KERNEL + "use_nesterov has no effect",
    "Momentum(0.05, 0.9, weight_decay=0.1, loss_scale=8.0, use_nesterov": _KERNEL + "use_nesterov has no effect",
    "Adagrad(learning_rate=0.05, update_slots=False)": _KERNEL + "update_slots has no effect",
    "FTRL(learning_rate=0.05, l1": _KERNEL + "l1 has the wrong sign where `linear` is negative",
    "groups/grad_centralization/4d_weight": "in MindSpore the flag has no effect on a Parameter outside a convolution",
    "experimental.optim.Adam(make(), 0.01, weight_decay=0.1, amsgrad": _KERNEL + "amsgrad has no effect",
    "mint.optim.Adam(make(), 0.01, weight_decay=0.1, amsgrad=True": "with 'amsgrad' the largest moments are "
    "Parameters of the optimizer, so that checkpoints hold them",
    "call/list_of_gradients": "a list of gradients is taken too",
    "half/nn.AdaFactor(p)[": "with Float16 Parameters the step is computed in Float32; MindSpore rounds the moments "
    "to Float16, so that it may divide by 0",
}

# -- tests/nn/recorded.py ---------------------------------------------------------------------------------------------
# MindSpore fails by mistake; the epoch's learning rate is set here.
SCHEDULERS = {
    "jump(lambda o: L.MultiStepLR(o, [1, 3]), [5, 2, 4])": "AttributeError",
    "jump(lambda o: L.CosineAnnealingWarmRestarts(o, 2, 3, 0.1), [0.5, 1, 1.5, 2.5, 7, 9.5])": "TypeError",
}

# -- tests/scipy/recorded.py ------------------------------------------------------------------------------------------
# Expression -> why ms_compat answers where MindSpore refuses.
SCIPY_WIDER = {
    "linalg.lu(B)": "more rows than columns",
    "linalg.lu_solve(linalg.lu_factor(a),b)": "vectors as well as matrices, as documented",
    "linalg.lu(a,True)": "MindSpore multiplies matrices of two dtypes",
}

# -- tests/train/recorded.py ------------------------------------------------------------------------------------------
_SCALED = "MindSpore refuses loss scaling on its CPU backend only; here it runs everywhere"
TRAINING = {
    "loss_scale/train.FixedLossScaleManager(8.0)[": _SCALED,
    "loss_scale/train.DynamicLossScaleManager(": _SCALED,
    "amp/O2[": _SCALED,
    "Top5CategoricalAccuracy()/np.concatenate([scores, scores], -1), labels[pynative]": "of equal scores numpy's "
    "unstable sort picks any",
}

# -- tests/dataset/recorded.py ----------------------------------------------------------------------------------------
DATASET = {
    "pairs(5).batch(2, per_batch_map=3)": "refused when the batch is made, MindSpore waits for the first row",
    "T.OneHot(3,0.1)(np.array([1,2],np.int32))": "MindSpore smooths only the last class of a vector",
    "T.OneHot(3,0.3)(np.array([0,1,2],np.int32))": "MindSpore smooths only the last class of a vector",
    "T.PadEnd([None,3])(np.array([[1,2]]))": "None keeps the axis, as documented; MindSpore refuses it",
    "T.PadEnd([3,None],1)(np.array([[1,2]]))": "None keeps the axis, as documented; MindSpore refuses it",
    "T.Slice(slice(-2,None))(np.array([1,2,3]))": "slices without an end are accepted",
    "T.Slice(slice(None,None,-1))(np.array([1,2,3]))": "slices without an end are accepted",
    "ds.TedliumDataset(archive('tedlium') + '/one', 'release1', None, 3)": "MindSpore accepts any 'extensions'",
    "rows(ds.TedliumDataset(": "MindSpore gives waveforms of zeros",
    "brief(ds.CoNLL2000Dataset(archive('tagged'), 'train', num_shards=2": "MindSpore cuts within sentences",
    "brief(ds.UDPOSDataset(archive('tagged'), 'train', num_shards=2, shard_id=1": "MindSpore cuts within sentences",
    "sums(ds.QMnistDataset(archive('qmnist'), 'test50k', shuffle=False))": "what follows 10,000 rows is read here",
    "sums(ds.USPSDataset(archive('usps'), 'all', shuffle=False))": "one file after the other here, interleaved there",
}
DATASET |= {
    f"ds.{name}(archive('tagged'), 'train'{shard}).get_dataset_size()": "MindSpore counts words as rows"
    for name in ("CoNLL2000Dataset", "UDPOSDataset")
    for shard in ("", ", num_shards=2, shard_id=1")
}
DATASET |= {
    text: "a row of nothing is written and read like others; MindSpore ends the file there or tells another shape"
    for text in (
        "unpacked({'a': {'type': 'float32', 'shape': [-1]}}, [{'a': ramp(0)}])",
        "unpacked({'a': {'type': 'bytes'}}, [{'a': b''}])",
        "unpacked({'a': {'type': 'bytes'}, 'b': {'type': 'int32'}}, [{'a': b'', 'b': 1}])",
        "unpacked({'a': {'type': 'bytes'}}, [{'a': b''}, {'a': b'x'}])",
        "unpacked({'a': {'type': 'int32', 'shape': [-1]}}, [{'a': ramp(0, dtype='int32')}])",
        "unpacked({'a': {'type': 'int32', 'shape': [-1]}, 'b': {'type': 'bytes'}}, "
        "[{'a': ramp(0, dtype='int32'), 'b': b'q'}])",
        "unpacked({'a': {'type': 'float32', 'shape': [-1]}, 'b': {'type': 'bytes'}}, [{'a': ramp(0), 'b': b'q'}])",
    )
}
DATASET |= {
    f"ds.MindDataset(packed({{'a': {{'type': 'int32'}}}}, [{{'a': 1}}]), sampler={sampler})": "takes every sampler"
    for sampler in ("3", "[0]", "Backwards()")
}
_IGNORED = "MindSpore ignores num_samples and num_shards of RandomDataset"
DATASET |= {
    text: _IGNORED
    for kind in (
        "ds.RandomDataset(7, schema(('a', ms.int32, [2])), num_samples=3)",
        "ds.RandomDataset(10, schema(('a', ms.int32, [2])), num_shards=2, shard_id=0)",
    )
    for text in (f"{kind}.get_dataset_size()", f"len(lists({kind}))")
}
_BOX = "boxes([1,1,3,2],[0,0,2,2],[2,1,4,4])"
DATASET |= {
    f"V.ResizeWithBBox((10,12))(img(5,6),{_BOX}.astype(np.float64))": "boxes of any floating dtype are accepted",
    f"V.ResizeWithBBox((10,12))(img(5,6),{_BOX}.astype(np.float16))": "boxes of any floating dtype are accepted",
    f"V.RandomHorizontalFlipWithBBox(1.0)(img(5,6),{_BOX}.astype(np.float64))": "boxes of any floating dtype are "
    "accepted",
    "V.ResizeWithBBox((10,12))(img(5,6),np.zeros((0,4),np.float32))": "an image without boxes is accepted",
    "V.BoundingBoxAugment(lambda x: x)": "any function is accepted as a transform",
    "V.Rotate(45,fill_value=(1,2,3))(img(5,6))": "fill values are in the channels' order, MindSpore turns it around",
}
_UNMOVED = "boxes move with the padding here, MindSpore leaves them where they were when it pads because of the size"
DATASET |= {
    f"sorted({{str(V.RandomCropWithBBox({size},pad_if_needed=True)(img(3,3),boxes([0,0,3,3]))[1].tolist()) "
    "for _ in range(300)})": _UNMOVED
    for size in ("(4,2)", "(4,4)")
}
# MindSpore writes three channels into the memory of four; here the fourth is zero, as documented.
DATASET |= {
    f"V.NormalizePad([121.0, 115, 100], [70.0, 68, 71]{dtype})({image}": "the padded fourth channel is zero; "
    "MindSpore leaves what is in memory"
    for dtype in ("", ", 'float16'")
    for image in ("img(4,5))", "photo(9,11))[:2]")
}

# -- tests/dataset/recorded.py ----------------------------------------------------------------------------------------
_FILTERS = "MindSpore reads its float32 filters as float64 and returns garbage or nan"
_SPEECH = "MindSpore's measure is never above 0, so it keeps the last seconds whatever they hold"
AUDIO: dict[str, str] = {
    "A.MelSpectrogram(8000, 16, n_mels=4)(wave(40))": _FILTERS,
    "A.MFCC(8000, 3, melkwargs=melkwargs(n_fft=16, n_mels=4))(wave(40))": _FILTERS,
    "A.LFCC(8000, 6, 3, speckwargs=speckwargs(n_fft=16))(wave(40))": _FILTERS,
    "A.GriffinLim(16, 8, 12, 4, A.WindowType.HAMMING, 1.0, 0.5, 30": "with a length MindSpore returns noise or nan",
    "A.Vad(600)(wave(2, 1000))": _SPEECH,
    "A.Vad(600)(bursts": _SPEECH,
    "A.Vad(600, boot": _SPEECH,
    "A.Vad(1600": _SPEECH,
}

# -- tests/ops/recorded.py, face_samples.py, member_samples.py --------------------------------------------------------
# Part of an expression that MindSpore refuses and ms_compat answers -> why it may.
FACES_WIDER = {
    "Tensor([],ms.float32))": "empty tensors, at which MindSpore's kernel fails",
    "Equal()(2.5": "a number in first place as in second",
    "Less()(2.5": "likewise",
    "TensorAdd()(b,b)": "types are promoted as by the operator +",
    "b.__rsub__": "as the operator - does",
    "__isub__(": "likewise",
    "mnp.subtract(b,b)": "likewise",
    "__rmod__(": "a Tensor as well as a number",
    "GatherV2": "MindSpore 2.10 passes one argument too few to its own kernel",
    "DynamicShape": "MindSpore 2.10 keeps the name without a computation",
    "ScalarToArray": "likewise",
    "scalar_ne": "likewise",
    "ops.bool_": "likewise",
    "ops.string_": "likewise",
    "ops.is_": "likewise",
    "SearchSorted(": "MindSpore's own kernel fails on 32-bit results and on two dtypes",
    "EuclideanNorm()(x,(0,))": "a tuple is accepted as well as a Tensor",
    "IndexFill()": "a number is accepted as well as a Tensor",
    "Fills()(i,7)": "an int is accepted as well as a float",
    "PadV3()(x,[1,1])": "0 by default, as ops.pad",
    "SelectView()(x,-1": "a negative index, as everywhere",
    "UnsortedSegment": "the number of segments as a Tensor, which MindSpore reads in graphs alone",
    "Cdist(3)": "an int is accepted as well as a float",
    "AdaptiveMaxPool2D((None": "None keeps a size, as in AdaptiveAvgPool3D",
    "DropoutGenMask()((20": "a number is accepted as well as a Tensor",
    "ApplyKerasMomentum": "numbers are accepted as well as Tensors, as in the other optimizers",
    "ApplyAdamWithAmsgrad": "likewise",
    "SparseApplyRMSProp": "likewise, and gradients of the rows that change",
    "SparseApplyAdadelta": "gradients of the rows that change, as the documentation says",
    "polygamma(": "an int as well as a Tensor",
    "zeta(2.,3.)": "two numbers",
    "ops.logspace(": "numbers as well as Tensors",
    "multinomial_with_replacement": "MindSpore wants a Tensor for the seed of the class alone",
    "MultinomialWithReplacement(3": "likewise",
    "ops.Morph(": "functions that no source file holds are accepted",
    "keepdim=True,dtype": "both spellings of an argument are taken everywhere",
    "i.nanmean()": "integers, as mindspore.numpy takes them",
    "triangular_solve(": "MindSpore 2.10 lacks the method that its own table names",
    "fill_diagonal_(": "likewise",
    "mnp.logaddexp(i": "integers are computed in Float32",
    "mnp.logaddexp([": "likewise",
    "TensorScatterElements()(x,Tensor([[0,1]])": "updates that are larger than the indices",
    "mnp.isinf(c)": "complex numbers",
    "mnp.bitwise_not(b)": "Bool, as the operator ~",
    "mnp.invert(b)": "likewise",
    "mnp.hsplit(x[0],3)": "the only axis of a vector, as NumPy does",
    "Hypot()": "integers are computed in Float32",
}
# A whole expression -> why its answer is another one.
FACES = {
    "slope(ops.SeLU(),y)": "MindSpore's kernel leaves a factor out: the slope of its own values is ours",
    "ops.Sinc()(b)": "an input of 0 gives 1",
    "ops.HShrink()(n)": "an input of NaN stays NaN",
    "ops.Softplus()(n)": "likewise",
    "ops.LogSoftmax()(n)": "likewise",
    "n.argmin_with_value(1)": "likewise",
    "mnp.argmin(n)": "likewise",
    "ops.FastGeLU()(n)": "an input of infinity gives infinity",
    "ops.FastGelu()(n)": "likewise",
    "ops.Mish()(n)": "likewise",
    "ops.LeftShift()(i,j)": "a shift by a negative number, which has no value",
    "ops.LeftShift()(x,Tensor([1.,2.]))": "for wrong dtypes and wrong shapes at once the TypeError comes first",
    "ops.RightShift()(x,Tensor([1.,2.]))": "likewise",
    "ops.Gcd()(x,Tensor([1.,2.]))": "likewise",
    "ops.TensorScatterAdd()(x,x,y)": "likewise",
    "ops.Elu(alpha='a')": "a wrong argument raises TypeError when the object is made; MindSpore raises it at the "
    "first call",
    "ops.CeLU('a')": "likewise",
    "ops.NthElement()(x,1.5)": "TypeError, as for other arguments of a wrong type",
    "ops.TensorToTuple()(x)": "ValueError, where MindSpore's kernel returns None",
    "ops.TensorToTuple()(3)": "TypeError, where MindSpore's kernel returns None",
    "ops.SelectView()(x,5,0)": "ValueError, where MindSpore reads memory beyond the tensor",
    "ops.UniqueConsecutive()(Tensor([1,1,2,3,3,1],ms.int32))": "0 where MindSpore returns memory that nobody wrote",
    "ops.Bincount()(Tensor([-1,2],ms.int32),Tensor(3,ms.int32),Tensor([1.,2.]))": "negative numbers are not "
    "counted; MindSpore's result for them is undefined",
    "ops.TensorScatterElements(5)(x,Tensor([[0,1,0]]),y[:1])": "ValueError, as for other axes out of range",
    "ops.TensorScatterElements()(x,Tensor([[9,1,0]]),y[:1])": "RuntimeError, as for other indices out of range",
    "ops.Mvlgamma(3)(y)": "values outside of the domain are not checked",
    "ops.mvlgamma(y,3)": "likewise",
    "y.mvlgamma(3)": "likewise",
    'ops.Einsum("ij,jk->ik")((x,y))': "ValueError: MindSpore's text is no UTF-8",
    "ops.bool_not(True)": "a bool, where MindSpore makes a Tensor of a constant outside graphs",
    "ops.make_tuple(1,x)": "likewise",
    "ops.Primitive('mine')(x)": "NotImplementedError: there is no computation",
    "h.__rtruediv__(x)": "Float32 throughout, where MindSpore divides in Float16 first",
    "i.copy().div_(2)": "TypeError: a quotient does not fit into a tensor of integers, whose dtype MindSpore changes",
    "x.triangular_solve(s)": "ValueError; MindSpore 2.10 lacks the method that its own table names",
    "mnp.diagflat(n)": "zeros beside a NaN",
    "mnp.nanmean(b)": "the mean of six numbers of which five are 1",
    "mnp.nanmean(n,dtype=mnp.float16)": "the dtype that is asked for",
    "mnp.remainder(b,b)": "TypeError, as for the operator %",
    "mnp.absolute(c)": "the absolute value, of which MindSpore has the real part's",
    "mnp.signbit([-0.,0.])": "the sign of zero",
    "mnp.isneginf(c)": "ValueError, as NumPy",
    "mnp.logspace('a',2)": "a subclass of TypeError",
}

# -- tests/conformance/test_any_python.py -----------------------------------------------------------------------------
# MindSpore compiles these to something else, or not at all; here they give what they give in PYNATIVE_MODE.
_REFUSED = "MindSpore's compiler refuses it"
ANY_PYTHON = {
    "scaled_by_numpy-grad-": "MindSpore's compiled gradient through float(...asnumpy()) is zero",
    "told_item-": "MindSpore returns a Tensor of a string where a branch chose the string",
    "changes_a_global-": "MindSpore's compiled code leaves `global` out",
    "asserted-grad-jit": "MindSpore's gradient of a compiled assert is a TypeError of its own",
    "as_nested-grad-jit": _REFUSED,
    "shortened-grad-cell": _REFUSED,
    **{
        f"{name}-": _REFUSED
        for name in (
            "divided", "tried", "finally_told", "positive_rows", "positive_rows_sum", "row_names", "grown", "of_set",
            "keyed_by_item", "first_of",
        )
    },
}  # fmt: skip

# -- tests/ops/test_kinks.py ------------------------------------------------------------------------------------------
_NAN = "the function has a slope there, MindSpore's formula for it is NaN"
KINKS = {
    start: _NAN
    for start in (
        "ops.var(x*0+1)", "ops.cumprod(x", "mint.cumprod(x", "mnp.cumprod(x", "ops.CumProd(", "mnp.sign(x)",
        "ops.logsigmoid(x*100)", "ops.multilabel_soft_margin_loss(x.reshape(1,5)*200",
        "ops.cosine_embedding_loss(x.reshape(1,5)*0", "nn.CosineEmbeddingLoss(0.",
    )
} | {
    "ops.bessel_i1(x)": "the slope at 0 is 1 / 2; MindSpore's is 1",
    "ops.selu(x)": "below 0 MindSpore has another slope than selu",
    "nn.SeLU()(x)": "likewise",
}  # fmt: skip

# -- tests/ops/function/linalg/test_singular.py -----------------------------------------------------------------------
_PIVOT = "whether the last pivot is 0 or a rounding error depends on the order of the elimination's sums"
SINGULAR = {
    "ops.matrix_solve(m('sum'),right(m('sum')))": _PIVOT,
    "ops.matrix_solve(m('counting',ms.float64),right(m('counting',ms.float64)))": _PIVOT,
}

# -- tests/conformance/gradient_sweep ---------------------------------------------------------------------------------
# Samples whose gradients differ for a reason. What central differences decide needs no row.
_SINGULAR = "a singular matrix has no derivative: its gradient is not defined"
_BOXES = "MindSpore gives boxes no gradient, or one that is not of the function, which is constant between whole pixels"
_CONSTANT = "MindSpore's gradient is of another formula than the value's"
_ROUNDED = "the gradient is not the slope, as documented"
_NESTED = "under another gradient MindSpore's inner one follows what was computed from its input before the call, too"
_ALONE = "a compiled method gives the values alone, as in MindSpore, whose recorded gradient is that of a pair"
GRADIENT_SWEEP = {
    "ops.inverse(": _SINGULAR,
    "linalg.inv(": _SINGULAR,
    "mint.inverse(": _SINGULAR,
    "slope(ops.MatrixInverse(": _SINGULAR,
    "ops.MatrixInverse(": _SINGULAR,
    "ops.Svd(": _SINGULAR,
    "ops.cond(": _SINGULAR,
    "m3.inverse()": _SINGULAR,
    "m3.slogdet()": _SINGULAR,
    "ops.norm(x,'nuc')": _SINGULAR,
    "mint.linalg.matrix_norm(m, ": _SINGULAR,
    "mint.linalg.norm(m, 2)": _SINGULAR,
    "linalg.lstsq(": _SINGULAR,
    "linalg.cho_solve(linalg.cho_factor(": "the slope of a symmetric matrix, of which one triangle is read",
    "x.max(0)": _ALONE,
    "x.max(1)": _ALONE,
    "x.min(0)": _ALONE,
    "x.min(1)": _ALONE,
    "x.transpose(0,1)": "compiled, these are all axes, as in MindSpore; elsewhere the two that change places",
    "ops.stop_gradient(x)": "for which it is there",
    "msd.HalfNormal().prob(v,one,two)": "below its mean there is no probability",
    "msd.HalfNormal(0.0,2.0).prob(v,one,two)": "likewise",
    "ops.lgamma(x)": "at poles, where infinities of both signs meet",
    "x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)); y = ops.stop_gradient(x)": "for which it is there",
    "x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)); y = x.data": "which is a constant, too",
    "@ms.jit\ndef f(x):\n    y = x; y //= 2": "steps; MindSpore gives the gradient of the values before the write",
    "@ms.jit\ndef f(x):\n    return sorted(x": "MindSpore gives sorted elements no gradient",
    "mnp.fft.ihfftn(x)": "MindSpore calls hfftn",
    "x.scatter(1,Tensor([[0],[2]]),Tensor([[9.],[8.]]),reduce=": "MindSpore leaves the reduction out",
    "ops.RGBToHSV()(": "MindSpore gives a channel that is 0 no gradient of the saturation",
    "ops.mixed_precision_cast(ms.float16,Parameter(": "MindSpore gives the Parameter no gradient",
    "ops.Median(True)(Tensor([[1.,3,np.nan": "a value that is NaN has no slope",
    "ops.SeLU()(": "MindSpore's kernel leaves a factor out",
    "slope(ops.TensorAdd(),p,y+p": _NESTED,
    "slope(ops.Atan2(),p,y+p": _NESTED,
    "slope(ops.Fmax(),p,y+p": _NESTED,
    "slope(ops.Hypot(),p,y+p": _NESTED,
    "slope(ops.Maximum(),p,y+p": _NESTED,
    "slope(ops.Xlogy(),p,y+p": _NESTED,
    "slope(ops.TruncateMod(),p,y+p": _NESTED,
    "slope(ops.TensorScatterMin(),p,rows,p+y": _NESTED,
    "slope(ops.TensorScatterDiv(),p,rows,p+y": _NESTED,
    "slope(ops.TensorScatterMul(),p,rows,p+y": _NESTED,
    "slope(ops.TensorScatterSub(),p,rows,p+y": _NESTED,
    "ops.TensorScatterDiv()(h,rows,h)": "a number divided by itself: the rounding of Float16 is all that is left",
    "ops.Igamma()(x,y)": "at (0, 0), where MindSpore has 0 and this package NaN: both limits exist",
    "slope(ops.TensorScatterMax(": "MindSpore leaves out what the gradient of the input adds where the updates win",
    "P.DCT()(": "MindSpore's gradient has another factor, of floats as well",
    "slope(ops.Minimum(": "MindSpore differentiates the gradient as if the first were always the smaller one",
    "sorted(x": "MindSpore gives sorted elements no gradient",
    "P.LstsqV2()(": _SINGULAR,
    "mnp.logaddexp2(p,i": "2 to the power of a negative integer is 0 in MindSpore",
    "initializer(": "cannot be called in compiled code, as in MindSpore",
    "ops.iou(": _BOXES,
    "grads(nn.SeLU(": _CONSTANT,
    "grads(nn.ClipByNorm(axis=1)": "MindSpore's kernel clips a row by the norm of another",
    "fill(nn.MultiheadAttention(4, 2))(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(5, 2, 4, seed=2), key_padding_mask="
    "Tensor(np.array([[0, 0, 0, 1, 1], [0, 1, 0, 0, 0]]).astype(bool)), attn_mask=rand(": _MIXED,
    "fill(nn.TransformerEncoderLayer(4, 2, 6, 0.0))(rand(3, 2, 4), rand(3, 3, seed=1), Tensor(": _MIXED,
    "fill(nn.TransformerDecoderLayer(4, 2, 6, 0.0))(rand(3, 2, 4), rand(5, 2, 4, seed=1), rand(3, 3": _MIXED,
    "fill(nn.LSTM(2, 3))(rand(4, 2, 2).astype(ms.float": "MindSpore's LSTM gives zeros in Float16 and Float64",
    "ops.svd(": _SINGULAR,
    "slope(ops.Erfinv(": "infinite at 1 and -1, where the order of the products decides between infinity and NaN",
    "ops.assign(Parameter(x),i)": "MindSpore gives the Parameter no gradient where it casts the value",
    "ops.slogdet(": _SINGULAR,
    "ops.clamp(x,Tensor(0.),Tensor(2.))": "equal limits: the upper one has the gradient, in MindSpore neither",
    "ops.Mod()(": _CONSTANT,
    "ops.selu(": _CONSTANT,
    "F.embedding(i, w, 0)": _ROUNDED,
    "F.embedding(i, w, scale_grad_by_freq=True)": _ROUNDED,
    "F.nll_loss(z, y, w)": "MindSpore gives weights no gradient",
    "n.argmin_with_value(1)": "the place of NaN, which MindSpore passes over under a gradient alone",
    "mnp.gcd(": "floats, of which JAX refuses a gradient",
    "mnp.lcm(": "likewise",
    "ops.ROIAlign(": _BOXES,
    "ops.CropAndResize(": _BOXES,
    "ops.crop_and_resize(": _BOXES,
    "ops.IOU(": _BOXES,
    "ops.ScaleAndTranslate(": "MindSpore gives the scale and the translation no gradient",
    "ops.LSTM(": "MindSpore's primitive answers with what was in the memory",
    "ops.AdjustHue()(": "the gradient at grey pixels, whose channels are equal, is another",
    "ops.Betainc()(x / 7, x / 8, x / 9)": "by the first two MindSpore gives 0, JAX refuses",
}

# Samples of which a gradient by some inputs differs: "inputs: why".
GRADIENTS_OF_EQUALS = {  # where all inputs are 1
    "ops.matrix_norm(x,'nuc')": _SINGULAR,
    "ops.matrix_norm(x,-2)": _SINGULAR,
    "linalg.eigh(a": "of equal eigenvalues, which share their vectors, each library orders others",
}
GRADIENTS_BY = {
    "ops.Zeta()(x,y)": "x: MindSpore gives the first input no gradient",
    "ops.zeta(p,2.)": "p: likewise",
    "G.SigmoidCrossEntropyWithLogitsGrad()(x,dy,dy)": "dy: labels, which have no gradient in MindSpore's loss",
    "ops.nanquantile(Tensor([[1.,np.nan,3.],[4.,5.,6.]]),Tensor([.25,.5]),1)": "made1: MindSpore has no gradient; that "
    "of JAX by `q` is 0 where the quantile is an element",
    "ops.batch_norm(x, m, v, g, b": "m v: MindSpore gives the statistics no gradient",
    "ops.BatchNorm(False)(x, g, b, m, v)": "m v: likewise",
    "(F.batch_norm(x, m, v, g, b, True, 0.3), m, v)": "x m v: the statistics are written without a gradient",
    "ops.SoftmaxCrossEntropyWithLogits()(z, p)": "z p: labels and the second result have none in MindSpore",
    "ops.kl_div(z, p)": "p: targets have no gradient in MindSpore",
    "F.embedding(i, w, None, 1.0)": "w: the table is shortened without a gradient",
    "mnp.amax(n,1)": "n: MindSpore's reductions pass over NaN",
    "mnp.max(n,1)": "n: likewise",
    "mnp.amin(n,1)": "n: likewise",
    "mnp.min(n,1)": "n: likewise",
    "mint.nn.functional.binary_cross_entropy_with_logits(x, b.float(), weight=p": "p: weights have none in MindSpore",
    "mint.nn.functional.nll_loss(": "w: likewise",
    "P.GroupNorm(": "im: MindSpore leaves out what the mean and the deviation contribute",
    "ops.LayerNorm(": "x: MindSpore leaves out what the mean and the variance contribute",
    "mnp.select(": "x p: MindSpore makes constants of Tensors in a list",
}

# -- tests/ops/test_primitive_constructors.py -------------------------------------------------------------------------
# Constructor arguments of primitives that are taken or refused otherwise.
PRIMITIVE_CONSTRUCTORS = {
    "the class behind it does not look at this value before the call": (
        "AdaptiveAvgPool3D.output_size ChannelShuffle.group InplaceAdd.indices InplaceSub.indices "
        "InplaceUpdate.indices LpNorm.axis MaxUnpool3D.ksize MaxUnpool3D.strides MaxUnpool3D.pads NuclearNorm.dim "
        "PyFunc.in_types PyFunc.in_shapes PyFunc.out_types"
    ),
    "refused when the primitive is made; MindSpore takes it and fails, or computes with a default, at the call": (
        "AdaptiveMaxPool2D.output_size BiasAdd.data_format BroadcastTo.shape CeLU.alpha Elu.alpha "
        "GridSampler2D.interpolation_mode GridSampler2D.padding_mode GridSampler3D.interpolation_mode "
        "GridSampler3D.padding_mode HShrink.lambd LSTM.proj_size Lstsq.fast Meshgrid.indexing NLLLoss.reduction "
        "OneHot.axis PyFunc.fn PyFunc.stateful ROIAlign.pooled_height ROIAlign.pooled_width "
        "SampleDistortedBoundingBoxV2.aspect_ratio_range SampleDistortedBoundingBoxV2.area_range "
        "SearchSorted.dtype SoftShrink.lambd Squeeze.axis TensorScatterElements.reduction Triu.diagonal"
    ),
    "refused with the class of another check": (
        "BoundingBoxDecode.max_shape Col2Im.kernel_size Col2Im.dilation Col2Im.padding Col2Im.stride "
        "FractionalMaxPool3DWithFixedKsize.ksize FractionalMaxPool3DWithFixedKsize.output_shape IOU.mode "
        "L2Normalize.axis Lstsq.l2_regularizer PyFunc.out_shapes Renorm.p"
    ),
}

# -- tests/nn/_cell/test_inputs.py ------------------------------------------------------------------------------------
DECLARED_INPUTS = {
    "{'a': Tensor(shape=[-1]": "a size of a declared dict may be unknown, as of a tuple; MindSpore refuses each call",
}
