"""What newcomers write wrongly: one mistake a row, as `name: (code, words)`; the words are what its message must hold.

A code of one line that begins with "= " is an expression of the names of `PRELUDE`, computed in a function: as it is in
PYNATIVE_MODE, compiled in GRAPH_MODE. All others are run as they are written, which compiles Cells in GRAPH_MODE.
`python -m tests.conformance.record.mistakes` under MindSpore records which classes it raises.
"""

import re
import sys
import types

from tests.messages import habit_mistakes, layer_mistakes, program_mistakes

PRELUDE = """
import numpy as np
import mindspore
import mindspore as ms
from mindspore import Parameter, Tensor, dataset, mint, nn, ops, train

x = Tensor(np.ones((2, 3), np.float32))
y = Tensor(np.ones((3, 4), np.float32))
i = Tensor([0, 1], ms.int32)
image = Tensor(np.ones((1, 3, 8, 8), np.float32))
"""

# made for the mistakes that name them
OBJECTS = {
    "dense": "dense = nn.Dense(3, 4)",
    "conv": "conv = nn.Conv2d(3, 4, 3)",
    "adam": "adam = nn.Adam(dense.trainable_params())",
    "data": """
arrays = np.ones((4, 3), np.float32), np.ones((4, 4), np.float32)
data = dataset.NumpySlicesDataset(arrays, ["a", "b"]).batch(2)
""",
    "model": "model = train.Model(dense, nn.MSELoss(), nn.Adam(dense.trainable_params()))",
    "classes": """
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
classes = train.Model(dense, loss, nn.Adam(dense.trainable_params()))
""",
}

SHAPES = {
    "matmul_shapes": ("= ops.matmul(x, x)", "MatMul (2, 3)"),
    "at_operator_shapes": ("= x @ x", "(2, 3)"),
    "add_shapes": ("= x + y", "Add (2, 3) (3, 4)"),
    "sub_shapes": ("= ops.sub(x, y)", "Sub (2, 3) (3, 4)"),
    "dense_features": ("= dense(y)", "Dense in_channels 3 4"),
    "conv_channels": ("= conv(image[:, :2])", "Conv2d in_channels 3 2 (1, 2, 8, 8) NCHW"),
    "conv_rank": ("= conv(x)", "Conv2d (N, C, H, W) (2, 3)"),
    "reshape_size": ("= x.reshape(4, 2)", "reshape (4, 2) 6"),
    "reshape_float": ("= x.reshape(2.0, 3)", "reshape 2.0"),
    "view_size": ("= x.view(5)", "(5,) 6"),
    "concat_without_a_tuple": ("= ops.concat(x, x)", "Concat tensors tuple"),
    "cat_shapes": ("= ops.cat((x, y), 1)", "cat (2, 3) (3, 4)"),
    "cat_of_a_tensor": ("= ops.cat(x)", "Concat tensors tuple"),
    "stack_shapes": ("= ops.stack((x, y))", "Stack (2, 3) (3, 4)"),
    "stack_of_a_tensor": ("= ops.stack(x, x)", "Stack axis int"),
    "transpose_permutation": ("= ops.transpose(x, (0, 2))", "transpose [-2, 2)"),
    "permute_count": ("= x.permute(0, 1, 2)", "transpose (0, 1, 2)"),
    "expand_dims_axis": ("= ops.expand_dims(x, 5)", "expand_dims 5"),
    "split_axis": ("= ops.split(x, 2, 5)", "split 5"),
    "broadcast_to": ("= ops.broadcast_to(x, (5, 3))", "broadcast_to (2, 3) (5, 3)"),
    "tile_without_multiples": ("= ops.tile(x)", "tile"),
    "sum_axis": ("= x.sum(axis=5)", "sum 5"),
    "sum_axis_as_text": ("= x.sum(axis='rows')", "sum dim 'rows'"),
    "softmax_axis": ("= ops.softmax(x, 4)", "softmax 4"),
    "argmax_axis": ("= ops.argmax(x, 1.5)", "argmax 1.5"),
    "bmm_of_two_dimensions": ("= ops.bmm(x, x)", "BatchMatMul (2, 3)"),
    "topk_of_too_many": ("= ops.topk(x, 10)", "TopK 10 3"),
    "pad_widths": ("= ops.pad(x, (1,))", "pad"),
    "interpolate_of_two_dimensions": ("= ops.interpolate(x, size=3)", "interpolate (2, 3)"),
    "scatter_shapes": ("= ops.tensor_scatter_update(x, Tensor([[0]]), x)", "TensorScatter updates"),
    "layer_norm_shape": ("= nn.LayerNorm((4,))(x)", "LayerNorm normalized_shape (4,) (3,)"),
    "batch_norm_channels": ("= nn.BatchNorm2d(4)(image)", "BatchNorm2d num_features 4 3"),
    "lstm_features": ("= nn.LSTM(5, 4)(Tensor(np.ones((2, 2, 3), np.float32)))", "LSTM input_size 5 3"),
    "grid_of_unequal_rows": ("Tensor([[1, 2], [3]])", "Tensor"),
}

VALUES = {
    "index_out_of_range": ("= x[5]", "5 2"),
    "too_many_indices": ("= x[0, 0, 0]", "3 2"),
    "index_by_text": ("= x['a']", "'str'"),
    "index_by_float": ("= x[1.0]", "float"),
    "write_of_another_shape": ("x[0] = Tensor([1.0, 2.0, 3.0, 4.0, 5.0])", "(5,) (3,)"),
    "write_into_a_shape": ("x.shape[0] = 3", "tuple"),
    "dtype_of_no_such_name": ("= x.astype('float33')", "float33"),
    "cast_to_no_such_name": ("= ops.cast(x, 'float33')", "float33"),
    "plus_text": ("= x + 'a'", "add 'a'"),
    "plus_none": ("= x + None", "add None"),
    "and_of_floats": ("= x & x", "BitwiseAnd float32"),
    "missing_operand": ("= ops.add(x)", "add other"),
    "too_many_operands": ("= ops.add(x, x, x)", "add 2 3"),
    "format_of_one": ("'{:.2f}'.format(x.sum())", "format item"),
    "truth_of_many": ("= 1 if x else 2", "truth"),
    "item_of_many": ("= x.item()", "item"),
    "float_of_many": ("float(x)", "float"),
    "format_of_many": ("'{:.2f}'.format(x)", "format"),
    "length_of_a_scalar": ("= len(x.sum())", "0"),
    "loop_over_a_scalar": ("for value in x.sum():\n    pass", "iterate scalar"),
    "labels_of_floats": ("= ops.cross_entropy(x, ops.ones(2))", "cross_entropy target integers (2,)"),
    "labels_of_another_batch": (
        "= ops.cross_entropy(x, Tensor([0, 1, 2], ms.int32))",
        "cross_entropy target (2,) (3,)",
    ),
    "labels_of_no_class": ("= ops.cross_entropy(x, Tensor([0, 7], ms.int32))", "target [0, 3) 7"),
    "loss_without_labels": ("= nn.CrossEntropyLoss()(x)", "CrossEntropyLoss labels 2 1"),
    "loss_shapes": ("= nn.MSELoss()(x, y)", "mse_loss (2, 3) (3, 4)"),
    "binary_labels_of_integers": (
        "= ops.binary_cross_entropy(x, ops.ones((2, 3), ms.int32))",
        "binary_cross_entropy Int32",
    ),
    "embedding_of_floats": ("= nn.Embedding(5, 2)(x)", "Embedding ids Float32 integers"),
    "gather_without_an_axis": ("= ops.gather(x, i)", "gather axis"),
    "gather_by_floats": ("= ops.gather(x, x, 0)", "Gather Float32"),
    "one_hot_without_depth": ("= ops.one_hot(i)", "one_hot depth"),
    "one_hot_of_floats": ("= ops.one_hot(x, 3)", "OneHot Float32"),
    "where_without_a_value": ("= ops.where(x > 0, x)", "where other"),
    "zeros_of_text": ("= ops.zeros('a')", "Zeros 'a'"),
    "range_of_text": ("= ops.arange('a')", "arange"),
    "full_without_a_value": ("= ops.full((2, 3))", "full fill_value"),
    "clamp_without_bounds": ("= ops.clamp(x)", "clamp min max"),
    "dropout_of_two": ("nn.Dropout(p=2)", "Dropout p 2"),
    "reduction_of_no_such_name": ("nn.MSELoss(reduction='avg')", "reduction 'avg' 'mean'"),
    "initializer_of_no_such_name": ("nn.Dense(3, 4, weight_init='xavier')", "xavier xavier_uniform"),
    "activation_of_no_such_name": ("nn.Dense(3, 4, activation='rellu')", "rellu relu"),
    "seed_of_text": ("ms.set_seed('a')", "seed str"),
    "seed_below_zero": ("ms.set_seed(-1)", "seed -1"),
    "parameter_of_text": ("Parameter('a')", "Parameter"),
    "parameter_of_another_dtype": (
        "ops.assign(Parameter(Tensor([1], ms.int32), name='p'), Tensor([1.5], ms.float32))",
        "Assign Int32 Float32",
    ),
    "schedule_of_text": ("nn.exponential_decay_lr(0.1, 0.9, 'a', 1, 1)", "total_step 'a'"),
    "schedule_upside_down": ("nn.cosine_decay_lr(0.2, 0.1, 2, 2, 1)", "min_lr max_lr"),
    "learning_rate_below_zero": ("nn.Adam(dense.trainable_params(), learning_rate=-1.0)", "learning_rate -1.0"),
    "shape_called": ("= x.shape()", "tuple"),
}

HABITS = {
    "backward": ("dense(x).sum().backward()", "backward value_and_grad"),
    "zero_grad": ("adam.zero_grad()", "zero_grad"),
    "optimizer_step": ("adam.step()", "step"),
    "to_cuda": ("= x.cuda()", "cuda set_device"),
    "to_a_device": ("= x.to('cuda')", "to"),
    "cpu": ("x.cpu()", "cpu asnumpy"),
    "tensor_that_requires_grad": (
        "Tensor([1.0], requires_grad=True)",
        "requires_grad mindspore.grad mindspore.Parameter",
    ),
    "tensor_on_a_device": ("Tensor([1.0], device='cuda')", "device cuda set_device"),
    "size_called": ("= x.size()", "callable"),
    "cell_to_cuda": ("dense.cuda()", "cuda set_device"),
    "cell_to_a_device": ("dense.to('cuda')", "Cell.to device cuda set_device"),
    "cell_parameters": ("nn.SGD(dense.parameters(), 0.1)", "parameters trainable_params"),
    "cell_eval": ("dense.eval()", "eval set_train"),
    "cell_train": ("dense.train()", "train set_train"),
    "cell_zero_grad": ("dense.zero_grad()", "zero_grad grad"),
    "cell_load_state_dict": ("dense.load_state_dict({})", "Missing weight"),
    "no_grad": ("with ms.no_grad():\n    pass", "no_grad stop_gradient"),
    "sequential": ("nn.Sequential(dense, dense)", "Sequential SequentialCell"),
    "module": ("class Net(nn.Module):\n    pass", "Module Cell"),
    "module_list": ("nn.ModuleList([dense])", "ModuleList CellList"),
    "functional": ("nn.functional.relu(x)", "functional ops"),
    "from_numpy": ("ops.from_numpy(np.ones(2))", "from_numpy mindspore.from_numpy"),
    "dense_bias": ("nn.Dense(3, 4, bias=False)", "Dense bias has_bias"),
    "conv_bias": ("nn.Conv2d(3, 4, 3, bias=False)", "Conv2d bias has_bias"),
    "conv_padding": ("nn.Conv2d(3, 4, 3, padding=1)", 'Conv2d padding pad_mode="pad"'),
    "conv_without_a_kernel": ("nn.Conv2d(3, 4)", "Conv2d kernel_size"),
    "adam_lr": ("nn.Adam(dense.trainable_params(), lr=0.1)", "Adam lr learning_rate"),
    "sgd_lr": ("nn.SGD(dense.trainable_params(), lr=0.1)", "SGD lr learning_rate"),
    "adam_betas": ("nn.Adam(dense.trainable_params(), betas=(0.9, 0.99))", "Adam betas beta1"),
    "dim_of_softmax": ("= ops.softmax(x, dim=1)", "softmax 'dim' called 'axis'"),
    "dim_of_mean": ("= ops.mean(x, dim=0)", "mean 'dim' called 'axis'"),
    "keepdim_of_sum": ("= ops.sum(x, axis=0, keepdim=True)", "sum 'axis' called 'dim'"),
    "forward_for_construct": (
        "class Net(nn.Cell):\n    def forward(self, x):\n        return x\nNet()(x)",
        "Net construct 'forward' rename",
    ),
    "no_super_init": (
        "class Net(nn.Cell):\n    def __init__(self):\n        self.layer = nn.Dense(3, 4)\nNet()",
        "super().__init__",
    ),
}

NETS = {
    "cell_with_too_many_inputs": ("dense(x, x)", "construct 2 3"),
    "cell_without_inputs": ("dense()", "construct x"),
    "sequential_of_text": ("nn.SequentialCell(dense, 'relu')", "SequentialCell 'relu' Cell"),
    "sequential_of_a_class": ("nn.SequentialCell(dense, nn.ReLU)", "SequentialCell ReLU()"),
    "sequential_of_a_function": ("nn.SequentialCell(dense, ops.relu)", "SequentialCell relu ReLU"),
    "list_of_functions": ("nn.CellList([ops.relu])", "CellList relu ReLU"),
    "unknown_attribute": ("dense.wieght", "Dense wieght"),
    "two_parameters_of_one_name": (
        "class Net(nn.Cell):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.a = Parameter(Tensor([1.0]), name='w')\n"
        "        self.b = Parameter(Tensor([2.0]), name='w')\n"
        "    def construct(self, x):\n"
        "        return x * self.a + self.b\n"
        "net = Net()\n"
        "nn.Adam(net.trainable_params())",
        "'w' name Parameters",
    ),
    "heads_that_do_not_divide": ("nn.MultiheadAttention(5, 2)", "embed_dim 5 2"),
    "optimizer_of_a_net": ("nn.Adam(dense)", "Adam trainable_params"),
    "optimizer_of_nothing": ("nn.Adam([])", "Adam params empty CellList"),
    "optimizer_of_tensors": ("nn.Adam([x])", "Adam Parameter"),
    "optimizer_of_text": ("nn.Adam(dense.trainable_params(), weight_decay='a')", "weight_decay 'a'"),
    "optimizer_without_gradients": ("adam()", "Adam gradients"),
    "gradients_too_few": ("adam((x,))", "Adam 1 2"),
    "sens_is_missing": (
        "def f(x):\n    return x * x\nops.GradOperation(sens_param=True)(f)(x)",
        "sens_param sensitivity",
    ),
    "gradient_operation_of_a_number": ("ops.GradOperation()(3)(x)", "GradOperation int"),
    "gradient_position": ("ms.grad(dense, 5)(x)", "grad 5 1"),
    "gradient_of_nothing": ("ms.value_and_grad(dense, None, None)", "grad_position weights"),
    "gradient_of_a_result": ("ms.grad(dense(x))(x)", "grad Tensor"),
    "has_aux_of_one_output": ("def f(x):\n    return x * x\nms.grad(f, has_aux=True)(x)", "has_aux"),
    "vmap_axis": ("ms.vmap(ops.sin, in_axes=3)(x)", "vmap 3 (2, 3)"),
    "vmap_of_numpy": ("def f(a):\n    return np.sin(a)\nms.vmap(f)(x)", "numpy.sin ops"),
    "vmap_of_a_condition": ("def f(a):\n    return a if a.sum() > 0 else -a\nms.vmap(f)(x)", "vmap ops.where"),
    "vmap_with_a_format": ("def f(a):\n    f'{a.sum():.2f}'\n    return a\nms.vmap(f)(x)", "format item"),
    "list_that_outlives_vmap": (
        "kept = []\ndef f(a):\n    kept.append(a * 2)\n    return a\nms.vmap(f)(x)\nkept[0] + 1",
        "outlived Return",
    ),
    "whole_graph_with_numpy": (
        "@ms.jit(fullgraph=True)\ndef f(a):\n    return Tensor(np.sin(a.asnumpy()))\nf(x)",
        "asnumpy",
    ),
}

TRAINING = {
    "model_without_a_loss": ("train.Model(dense).train(1, data)", "loss_fn columns construct"),
    "model_without_metrics": ("train.Model(dense, nn.MSELoss(), adam).eval(data)", "metrics"),
    "metrics_of_no_such_name": ("train.Model(dense, nn.MSELoss(), adam, metrics={'acc2'})", "acc2"),
    "model_of_a_class": ("train.Model(nn.Dense, nn.MSELoss(), adam)", "network Dense"),
    "arguments_of_train_swapped": ("train.Model(dense, nn.MSELoss(), adam).train(data, 1)", "epoch"),
    "no_epochs": ("train.Model(dense, nn.MSELoss(), adam).train(0, data)", "epoch 0"),
    "train_on_a_list": ("train.Model(dense, nn.MSELoss(), adam).train(1, [(x, x)])", "dataset"),
    "callback_that_is_none": (
        "train.Model(dense, nn.MSELoss(), adam).train(1, data, callbacks=[3])",
        "callbacks int",
    ),
    "level_of_no_such_name": ("train.Model(dense, nn.MSELoss(), adam, amp_level='O4')", "Model amp_level 'O4' 'O2'"),
    "amp_level": ("ms.amp.auto_mixed_precision(dense, 'O4')", "auto_mixed_precision amp_level 'O4'"),
    "jit_level": ("ms.jit(jit_level='O7')(ops.sin)", "jit_level O7"),
    "jit_of_a_result": ("ms.jit(ops.sin(x))(x)", "jit Tensor"),
    "context_mode": ("ms.set_context(mode='graph')", "mode GRAPH_MODE"),
    "context_argument": ("ms.set_context(mod=0)", "mod mode"),
    "context_device": ("ms.set_context(device_target='cuda')", "device_target cuda GPU"),
    "device_of_no_such_name": ("ms.set_device('cuda')", "cuda GPU"),
    "checkpoint_that_is_missing": ("ms.load_checkpoint('missing.ckpt')", "missing.ckpt"),
    "checkpoint_with_another_ending": ("ms.load_checkpoint('net.pt')", "net.pt"),
    "checkpoint_of_pytorch": (
        "import pathlib, zipfile\n"
        "with zipfile.ZipFile('torch.ckpt', 'w') as file:\n"
        "    file.writestr('archive/data.pkl', b'\\x80\\x02}q\\x00.')\n"
        "ms.load_checkpoint('torch.ckpt')",
        "PyTorch convert",
    ),
    "checkpoint_of_garbage": (
        "import pathlib\npathlib.Path('garbage.ckpt').write_bytes(b'garbage' * 9)\nms.load_checkpoint('garbage.ckpt')",
        "garbage.ckpt",
    ),
    "arguments_of_load_swapped": ("ms.load_param_into_net({}, dense)", "net Cell"),
    "load_of_another_shape": (
        "ms.load_param_into_net(dense, {'weight': Parameter(x, name='weight')})",
        "weight (4, 3)",
    ),
    "save_without_a_name": ("ms.save_checkpoint(dense)", "ckpt_file_name"),
    "save_of_a_tensor": ("ms.save_checkpoint(x, 'x.ckpt')", "save_obj"),
}

DATA = {
    "columns_too_few": ("dataset.NumpySlicesDataset((np.ones(2), np.ones(2)), ['a'])", "column_names"),
    "columns_of_other_lengths": ("dataset.NumpySlicesDataset((np.ones(2), np.ones(3)), ['a', 'b'])", "length"),
    "generator_without_columns": ("dataset.GeneratorDataset(lambda: iter([1]))", "column_names"),
    "generator_of_a_number": ("dataset.GeneratorDataset(3, ['a'])", "source"),
    "map_of_no_such_column": (
        "next(data.map(lambda v: v, ['label']).create_tuple_iterator())",
        "label",
    ),
    "map_of_no_function": ("data.map(3, ['a'])", "operations"),
    "project_of_no_such_column": ("next(data.project(['label']).create_tuple_iterator())", "label"),
    "batch_of_none": ("data.batch(0)", "batch_size 0"),
    "batch_of_text": ("data.batch('a')", "batch_size"),
    "repeat_of_text": ("data.repeat('a')", "count"),
    "shuffle_of_none": ("data.shuffle(0)", "buffer_size"),
    "batch_of_unequal_rows": (
        "def rows():\n    yield (np.ones(2),)\n    yield (np.ones(3),)\n"
        "next(dataset.GeneratorDataset(rows, ['a']).batch(2).create_tuple_iterator())",
        "batch",
    ),
    "error_in_a_generator": (
        "def rows():\n    yield (np.ones(2),)\n    raise KeyError('mine')\n"
        "list(dataset.GeneratorDataset(rows, ['a']).create_tuple_iterator())",
        "mine",
    ),
    "error_in_a_map": (
        "def half(value):\n    raise KeyError('mine')\nnext(data.map(half, ['a']).create_tuple_iterator())",
        "mine",
    ),
    "folder_that_is_missing": ("dataset.ImageFolderDataset('missing')", "missing"),
    "images_of_no_such_folder": ("dataset.MnistDataset('missing')", "missing"),
    "split_beyond_one": ("data.split([0.9, 0.9])", "split"),
}

NAMES = {
    "operation_of_no_such_name": ("ops.sofmax(x)", "sofmax such 'mindspore.ops.softmax'"),
    "layer_of_no_such_name": ("nn.Conv2D(3, 4, 3)", "Conv2D mindspore.nn.Conv2d"),
    "method_of_no_such_name": ("x.resahpe(3, 2)", "Tensor resahpe"),
    "package_of_no_such_name": ("import mindspore.nnn", "mindspore.nnn mindspore.nn"),
    "import_of_no_such_name": ("from mindspore.nn import Dens", "Dens such 'mindspore.nn.Dense'"),
    "attribute_of_no_such_name": ("ms.Tensr", "Tensr Tensor"),
}

_GROUPS = (
    SHAPES, VALUES, HABITS, NETS, TRAINING, DATA, NAMES, layer_mistakes.LAYERS, layer_mistakes.LOSSES,
    habit_mistakes.KEYWORDS, habit_mistakes.NO_SUCH_NAMES, program_mistakes.NO_PARAMETERS, program_mistakes.CELLS,
    program_mistakes.STEPS, program_mistakes.FILES, program_mistakes.SETTINGS, program_mistakes.PIPELINES,
)  # fmt: skip
MISTAKES: dict[str, tuple[str, str]] = {name: row for group in _GROUPS for name, row in group.items()}
assert len(MISTAKES) == sum(map(len, _GROUPS))  # no name stands twice


# those that end otherwise where they are compiled: the words, or None where the program simply runs
# The ids of the embedding are computed: compiled code cannot look at them, and its rows are NaN.
IN_GRAPH_MODE = {
    "vmap_of_a_condition": None,
    "list_that_outlives_vmap": "index out of range",
    "embedding_out_of_range": None,
}


def program(code: str) -> str:
    """The mistake as a program; `PRELUDE` stands before it, and `run` is given."""
    if code.startswith("= "):
        return f"def f(x, y, i, image):\n    return {code[2:]}\n\n\nrun(f, x, y, i, image)\n"
    return code + "\n"


def prelude(name: str, run) -> dict:
    """The names that a mistake needs, in a module of their own; `run` calls a function."""
    module = sys.modules[f"mistake_{name}"] = types.ModuleType(f"mistake_{name}")
    module.run = run
    code = MISTAKES[name][0] + (" dense" if re.search(r"\b(adam|model|classes)\b", MISTAKES[name][0]) else "")
    objects = [made for word, made in OBJECTS.items() if re.search(rf"\b{word}\b", code)]
    exec(compile("\n".join([PRELUDE, *objects]), f"mistake_{name}_prelude.py", "exec"), module.__dict__)
    return module.__dict__
