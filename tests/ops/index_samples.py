"""Calls with one tensor of indices or class numbers, `I`, and which tensor that is when they are right.

Each is recorded with numbers out of range in `I`, as a plain call and as a compiled one. To add one, add a line and run
`python -m tests.conformance.record ops_indices` with an interpreter that has MindSpore.
"""

SETUP = """
x = Tensor(np.sin(np.arange(9, dtype=np.float32)).reshape(3, 3)); v = Tensor([.5, 1., 2.])
labels, column = Tensor([0, 2, 1], ms.int32), Tensor([[0], [2], [1]], ms.int32)
long = labels.astype(ms.int64); square = Tensor([[0, 1, 2], [1, 2, 0], [2, 2, 1]], ms.int32)
table = Tensor(np.cos(np.arange(21, dtype=np.float32)).reshape(7, 3))
picture, box, owner = x.reshape(1, 3, 3, 1), Tensor([[0., 0., 1., 1.]]), Tensor([0], ms.int32)
scores = Tensor(-np.ones((4, 2, 3), np.float32)); words = Tensor([[1, 2], [2, 1]], ms.int32)
times, counts = Tensor([4, 4], ms.int32), Tensor([2, 1], ms.int32)
embed = nn.Embedding(7, 3, embedding_table=table)
p = Parameter(x.copy(), name='p')
def put(t, number):
    array = t.asnumpy().copy()
    array.reshape(-1)[0] = number
    return Tensor(array)
"""

CALLS = """
ops.cross_entropy(x, I) | labels
ops.cross_entropy(x, I, ignore_index=-100, reduction='none') | labels
ops.nll_loss(x, I, v) | labels
nn.CrossEntropyLoss()(x, I) | labels
nn.CrossEntropyLoss()(x * 2, I.astype(ms.int32)) | long
nn.NLLLoss()(x, I) | labels
nn.FocalLoss()(x, I) | column
nn.SoftmaxCrossEntropyWithLogits(sparse=True)(x, I) | labels
ops.SparseSoftmaxCrossEntropyWithLogits()(x, I) | labels
ops.NLLLoss('mean')(x, I, v) | labels
ops.multi_margin_loss(x, I) | long
ops.ctc_loss(scores, words, I, counts)[0] | times
ops.gather(x, I, 0) | labels
ops.gather(x, I.reshape(3, 1), 1) | labels
ops.gather(table, I, 0) | labels
ops.gather_d(x, 0, I) | square
ops.gather_nd(x, I) | column
ops.index_select(x, 0, I) | labels
embed(I) | labels
ops.EmbeddingLookup()(table, I, 0) | labels
ops.one_hot(I, 4) | labels
ops.tensor_scatter_add(x, I, x) | column
ops.TensorScatterUpdate()(x, I, x) | column
ops.scatter_nd(I, v, (3,)) | column
ops.unsorted_segment_sum(x, I, 3) | labels
ops.unsorted_segment_max(x, I, 3) | labels
ops.index_fill(x, 0, I, 0.5) | labels
ops.scatter_add(p, I, x) | labels
ops.scatter_nd_update(p, I, x) | column
ops.index_add(p, I, x, 0) | labels
ops.reverse_sequence(x, I, 1) | long
ops.crop_and_resize(picture, box, I, (2, 2)) | owner
x[I] | labels
x.take(I, 0) | labels
"""
NUMBERS = (100, 3, -1, -100)


def cases() -> list[dict]:
    """What is recorded: each call with each number out of range, plain and compiled."""
    out = []
    for line in CALLS.strip().splitlines():
        call, right = line.split(" | ")
        for number in NUMBERS:
            for way in ("fn", "ms.jit(fn)"):
                out.append({"call": call, "expr": f"{way}(put({right}, {number}))"})
    return out
