"""Mistakes in networks, training, checkpoints and datasets: rows of `mistakes.MISTAKES`."""


def _net(init, construct, call="Net()(x)", inputs="x"):
    """A program with a Cell; `\\n` separates statements."""
    lines = ["class Net(nn.Cell):", "    def __init__(self):", "        super().__init__()"]
    lines += [f"        {line}" for line in init.split("\n")]
    lines += [f"    def construct(self, {inputs}):", *[f"        {line}" for line in construct.split("\n")], call]
    return "\n".join(lines)


def _train(data, label, model="model"):
    columns = f"(np.ones({data[0]}, np.{data[1]}), {label})"
    return f"{model}.train(1, dataset.NumpySlicesDataset({columns}, ['image', 'label']).batch(2))"


_LISTED = "Net().trainable_params()"
_TARGETS = "np.ones((4, 4), np.float32)"
_PIXELS = ((4, 3), "float32")
_CLASSES = "classes"

NO_PARAMETERS = {
    name: (code, "params CellList CellDict ParameterTuple requires_grad=False")
    for name, code in {
        "cells_in_a_list": _net("self.layers = [nn.Dense(3, 4)]", "return self.layers[0](x)", f"nn.Adam({_LISTED})"),
        "cells_in_a_tuple": _net("self.layers = (nn.Dense(3, 4),)", "return x", f"nn.SGD({_LISTED}, 0.1)"),
        "cells_in_a_dict": _net("self.layers = {'a': nn.Dense(3, 4)}", "return x", f"nn.Momentum({_LISTED}, 0.1, 0.9)"),
        "cells_in_a_list_for_mint": _net("self.a = [nn.Dense(3, 4)]", "return x", f"mint.optim.Adam({_LISTED})"),
        "parameters_in_a_list": _net("self.ws = [Parameter(x, name='w')]", "return x", f"nn.Adam({_LISTED})"),
        "frozen_parameters": (
            "for p in dense.get_parameters():\n    p.requires_grad = False\nnn.Adam(dense.trainable_params())"
        ),
        "iterator_that_was_used": "ps = dense.get_parameters()\nlist(ps)\nnn.Adam(ps)",
        "group_without_parameters": "nn.Adam([{'params': []}])",
    }.items()
}

CELLS = {
    "construct_missing": ("class Net(nn.Cell):\n    pass\nNet()(x)", "Net 'construct' defined"),
    "construct_misspelled": (
        "class Net(nn.Cell):\n    def constuct(self, x):\n        return x\nNet()(x)",
        "Net construct 'constuct' rename",
    ),
    "call_for_construct": (
        "class Net(nn.Cell):\n    def call(self, x):\n        return x\nNet()(x)",
        "Net construct 'call'",
    ),
    "construct_without_self": (
        "class Net(nn.Cell):\n    def construct(x):\n        return x\nNet()(x)",
        "Net.construct() positional",
    ),
    "construct_with_a_condition": (_net("pass", "if x > 0:\n    return x\nreturn -x"), "truth (2, 3)|ops.any"),
    "construct_with_and": (_net("pass", "return x > 0 and x < 1"), "truth ops.all"),
    "construct_with_an_unknown_name": (_net("pass", "return unknown + x"), "unknown"),
    "construct_with_an_unknown_child": (
        _net("self.dense = nn.Dense(3, 4)", "return self.dens(x)"),
        "Net dens",
    ),
    "construct_with_wrong_channels": (
        _net("self.a = nn.Conv2d(4, 4, 3)", "return self.a(x)", "Net()(image)"),
        "Conv2d in_channels 4 3 NCHW",
    ),
    "construct_with_wrong_features": (
        _net("self.a = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(5, 2))", "return self.a(x)"),
        "Dense in_channels 5 4 (2, 4)",
    ),
    "construct_that_flattens": (
        _net("self.f = nn.Flatten()\nself.d = nn.Dense(100, 2)", "return self.d(self.f(x))", "Net()(image)"),
        "Dense in_channels 100 192",
    ),
    "construct_of_an_array": (
        _net("self.d = nn.Dense(3, 4)", "return self.d(x)", "Net()(np.ones((2, 3), np.float32))"),
        "Dense NumPy (2, 3)",
    ),
    "construct_that_writes_text": (_net("pass", "x[0] = 'a'\nreturn x"), "'a'"),
    "construct_with_a_keyword_of_pytorch": (_net("pass", "return ops.concat((x, x), dim=0)"), "axis"),
    "inputs_missing": (_net("pass", "return a + b", "Net()(x)", "a, b"), "Net.construct() 'b'"),
    "inputs_too_many": (_net("pass", "return x", "Net()(x, x)"), "Net.construct() 3"),
    "input_of_no_such_name": (_net("pass", "return x", "Net()(inputs=x)"), "Net.construct() 'inputs'"),
    "parameter_before_super_init": (
        "class Net(nn.Cell):\n    def __init__(self):\n        self.a = Parameter(x, name='a')\nNet()",
        "super().__init__() 'a'",
    ),
    "super_init_forgotten": (
        "class Net(nn.Cell):\n    def __init__(self):\n        self.n = 3\n"
        "    def construct(self, x):\n        return x\nNet()(x)",
        "Net super().__init__()",
    ),
    "number_over_a_parameter": (
        _net("self.w = Parameter(x, name='w')", "return x", "net = Net()\nnet.w = 3"),
        "Parameter 'w'",
    ),
    "number_over_a_cell": (_net("self.d = nn.Dense(3, 4)", "return x", "net = Net()\nnet.d = 3"), "'d' int"),
    "list_that_is_called": ("nn.CellList([dense])(x)", "CellList called"),
    "weights_as_text": ("ms.grad(dense, None, 'weight')(x)", "grad weights str"),
    "weights_of_a_net": ("ms.grad(dense, None, dense)(x)", "grad weights Dense"),
    "position_as_text": ("ms.grad(dense, 'x')(x)", "grad grad_position 'x'"),
    "loss_for_gradients": (
        "loss, grads = ms.value_and_grad(dense, None, dense.trainable_params())(x)\nadam(loss)",
        "Adam tuple 2 (2, 4) value_and_grad",
    ),
    "gradients_of_another_shape": ("adam((x, x))", "Adam 'weight' (4, 3) (2, 3)"),
    "gradients_that_are_none": ("adam((None, None))", "Adam 'weight' None"),
    "gradients_as_arrays": (
        "adam((np.ones((4, 3), np.float32), np.ones(4, np.float32)))",
        "Adam 'weight' ndarray Tensor",
    ),
    "momentum_missing": ("nn.Momentum(dense.trainable_params(), 0.1)", "Momentum momentum"),
    "einsum_sizes": ("= ops.einsum('ij,jk->ik', x, x)", "einsum (2, 3)"),
    "product_of_two_dtypes": ("= ops.matmul(x, y.astype(ms.float64))", "MatMul float32 float64"),
    "sum_of_text": ("= ops.add(x, 'a')", "add other 'a'"),
    "index_tensor_of_floats": ("= x[Tensor([0.5])]", "index Float32"),
    "unpacked_into_three": ("a, b, c = x", "unpack 3 2"),
}

STEPS = {
    "one_column": (
        "model.train(1, dataset.NumpySlicesDataset(np.ones((4, 3), np.float32), ['a']).batch(2))",
        "loss_fn two columns 1",
    ),
    "float64_column": (
        _train(((4, 3), "float64"), _TARGETS),
        "Dense Float32 Float64 TypeCast|'image' Float64 (2, 3)|'label' Float32",
    ),
    "uint8_column": (_train(((4, 3), "uint8"), _TARGETS), "Dense UInt8 'image'"),
    "columns_swapped": (_train(((4, 4), "float32"), "np.ones((4, 3), np.float32)"), "in_channels 3 4 'image' 'label'"),
    "labels_of_another_size": (_train(_PIXELS, "np.ones((4, 5), np.float32)"), "mse_loss (2, 4) (2, 5) 'label'"),
    "labels_of_text": (_train(_PIXELS, "['a', 'b', 'c', 'd']"), "labels NumPy 'label'"),
    "train_on_channels_last": (
        "net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.Flatten())\n"
        "model = train.Model(net, nn.MSELoss(), nn.Adam(net.trainable_params()))\n"
        + _train(((4, 8, 8, 3), "float32"), "np.ones((4, 256), np.float32)"),
        "Conv2d in_channels 8 permute HWC2CHW 'image'",
    ),
    "train_without_a_batch": (
        "net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.Flatten())\n"
        "model = train.Model(net, nn.MSELoss(), nn.Adam(net.trainable_params()))\n"
        + _train(((4, 3, 8, 8), "float32"), "np.ones((4, 256), np.float32)").replace(".batch(2)", ""),
        "Conv2d (N, C, H, W) (3, 8, 8) dataset.batch",
    ),
    "label_of_no_class": (
        _train(_PIXELS, "np.array([9, 9, 9, 9], np.int32)", _CLASSES),
        "SoftmaxCrossEntropyWithLogits [0, 4) 9 'label'",
    ),
    "labels_as_floats": (_train(_PIXELS, "np.zeros(4, np.float32)", _CLASSES), "sparse=True float32 'label'"),
    "labels_with_an_axis": (_train(_PIXELS, "np.zeros((4, 1), np.int32)", _CLASSES), "(2, 4) (2, 1) flatten"),
    "sparse_forgotten": (
        "model = train.Model(dense, nn.SoftmaxCrossEntropyWithLogits(reduction='mean'), adam)\n"
        + _train(_PIXELS, "np.zeros(4, np.int32)"),
        "sparse=True int32 'label'",
    ),
    "dataset_without_a_batch_left": (
        "model.train(1, data.batch(8, drop_remainder=True))",
        "train_dataset batches",
    ),
    "train_on_arrays": ("model.train(1, (np.ones(2), np.ones(2)))", "train_dataset dataset tuple"),
    "epochs_as_a_float": ("model.train(1.0, data)", "epoch int 1.0"),
    "initial_epoch_at_the_end": ("model.train(1, data, initial_epoch=3)", "epoch initial_epoch 1 3"),
    "callback_class": ("model.train(1, data, callbacks=[train.LossMonitor])", "callbacks Callback LossMonitor"),
    "sink_mode_as_text": ("model.train(1, data, dataset_sink_mode='no')", "dataset_sink_mode bool 'no'"),
    "optimizer_by_name": ("train.Model(dense, nn.MSELoss(), 'adam')", "Model optimizer 'adam'"),
    "loss_by_name": ("train.Model(dense, 'mse', adam)", "Model loss_fn 'mse'"),
    "predict_an_array": ("model.predict(np.ones((2, 3), np.float32))", "Model.predict predict_data ndarray"),
    "predict_another_size": ("model.predict(y)", "Dense in_channels 3 4"),
    "level_of_the_model": ("train.Model(dense, nn.MSELoss(), adam, amp_level='O9')", "'Model' 'amp_level' 'O2' 'O9'"),
    "level_of_mixed_precision": ("ms.amp.auto_mixed_precision(dense, 'O9')", "'auto_mixed_precision' 'amp_level' 'O9'"),
    "level_of_the_network": (
        "ms.amp.build_train_network(dense, adam, nn.MSELoss(), level='O9')",
        "'build_train_network' 'level' 'O9'",
    ),
    "dtype_of_mixed_precision": ("ms.amp.auto_mixed_precision(dense, 'O1', 'fp16')", "dtype float16 'fp16'"),
    "optimizer_of_a_step": ("nn.TrainOneStepCell(dense, 'adam')", "TrainOneStepCell optimizer 'adam'"),
    "top_5_of_3_classes": (
        "m = nn.Top5CategoricalAccuracy()\nm.update(np.ones((2, 3)), np.array([0, 1]))",
        "Top5CategoricalAccuracy 5 (2, 3) TopKCategoricalAccuracy",
    ),
    "metric_without_labels": ("nn.Accuracy().update(np.ones((2, 3)))", "Accuracy.update 2 1"),
    "metric_of_nothing": ("nn.Accuracy().eval()", "Accuracy update"),
    "metric_type": ("nn.Accuracy('classify')", "Accuracy eval_type 'classification'"),
    "stopping_mode": ("train.EarlyStopping(mode='smallest')", "EarlyStopping mode 'min' 'smallest'"),
}

FILES = {
    "load_without_a_name": ("ms.load_checkpoint(None)", "ckpt_file_name str None"),
    "load_an_empty_file": (
        "open('empty.ckpt', 'w').close()\nms.load_checkpoint('empty.ckpt')",
        "empty.ckpt empty download",
    ),
    "load_text": (
        "open('text.ckpt', 'w').write('hello world, no checkpoint')\nms.load_checkpoint('text.ckpt')",
        "text.ckpt checkpoint",
    ),
    "load_safetensors_as_ckpt": (
        "ms.save_checkpoint(dense, 'w.safetensors', format='safetensors')\nms.load_checkpoint('w.safetensors')",
        "w.safetensors format='safetensors'",
    ),
    "load_into_a_class": (
        "ms.save_checkpoint(dense, 'v.ckpt')\nms.load_checkpoint('v.ckpt', nn.Dense)",
        "net Cell class",
    ),
    "load_tensors": ("ms.load_param_into_net(dense, {'weight': x})", "parameter_dict Parameter Tensor"),
    "load_a_path_into_a_net": ("ms.load_param_into_net(dense, 'a.ckpt')", "parameter_dict dict 'a.ckpt'"),
    "save_under_a_number": ("ms.save_checkpoint(dense, 3)", "ckpt_file_name str 3"),
    "save_in_another_format": ("ms.save_checkpoint(dense, 'a.ckpt', format='pth')", "format 'safetensors' 'pth'"),
    "save_into_no_folder": ("ms.save_checkpoint(dense, 'missing/a.ckpt')", "ckpt_file_name directory missing"),
    "save_a_method": ("ms.save_checkpoint(dense.state_dict, 'a.ckpt')", "save_obj Cell method"),
    "load_of_pytorch_by_load": ("ms.load('a.pth')", "file_name .mindir 'a.pth'"),
    "export_format": ("ms.export(dense, x, file_name='a', file_format='TORCH')", "file_format MINDIR 'TORCH'"),
}

SETTINGS = {
    "mode_of_two": ("ms.set_context(mode=2)", "mode GRAPH_MODE 2"),
    "mode_by_position": ("ms.set_context(ms.GRAPH_MODE)", "set_context positional"),
    "device_in_small_letters": ("ms.set_context(device_target='gpu')", "device_target 'GPU' 'gpu'"),
    "device_with_a_number": ("ms.set_device('GPU:0')", "device_target 'GPU:0'"),
    "device_number_as_text": ("ms.set_context(device_id='0')", "device_id int '0'"),
    "device_target_misspelled": ("ms.set_context(device_traget='CPU')", "device_traget 'device_target'"),
    "context_key_misspelled": ("ms.get_context('mod')", "mod 'mode'"),
    "seed_of_a_float": ("ms.set_seed(1.5)", "seed int float"),
    "parallel_mode": ("ms.set_auto_parallel_context(parallel_mode='data')", "parallel_mode 'data_parallel' 'data'"),
    "deterministic_as_text": ("ms.set_deterministic('yes')", "deterministic bool 'yes'"),
    "capture_mode": ("ms.jit(capture_mode='tracing')(ops.sin)", "jit capture_mode 'trace' 'tracing'"),
    "initializer_misspelled": ("ms.common.initializer.initializer('normall', [2])", "normall normal"),
}

PIPELINES = {
    "mnist_of_another_folder": (
        "import os\nos.makedirs('m', exist_ok=True)\nnext(dataset.MnistDataset('m').create_tuple_iterator())",
        "MnistDataset 't10k-images-idx3-ubyte'",
    ),
    "images_of_an_empty_folder": (
        "import os\nos.makedirs('f', exist_ok=True)\nnext(dataset.ImageFolderDataset('f').create_tuple_iterator())",
        "ImageFolderDataset images class",
    ),
    "mindrecord_that_is_missing": ("dataset.MindDataset('a.mindrecord')", "MindDataset dataset_files 'a.mindrecord'"),
    "csv_that_is_missing": ("dataset.CSVDataset('a.csv')", "CSVDataset dataset_files 'a.csv'"),
    "generator_of_two_columns": (
        "list(dataset.GeneratorDataset([(1, 2)], ['a']).create_tuple_iterator())",
        "column_names 1 2",
    ),
    "generator_of_none": (
        "list(dataset.GeneratorDataset([None], ['a']).create_tuple_iterator())",
        "column None",
    ),
    "generator_class": (
        "class S:\n    def __getitem__(self, k):\n        return (np.ones(2),)\n"
        "    def __len__(self):\n        return 2\n"
        "dataset.GeneratorDataset(S, ['a'])",
        "source class 'S(...)'",
    ),
    "map_of_a_cell": (
        "next(data.map(nn.ReLU(), ['a']).create_tuple_iterator())",
        "map operations[0] Cell ReLU NumPy",
    ),
    "map_of_an_operation": (
        "next(data.map(ops.relu, ['a']).create_tuple_iterator())",
        "relu NumPy 'mindspore.dataset.transforms'",
    ),
    "map_of_a_class": ("data.map(dataset.vision.Resize, ['a'])", "map 'Resize(...)'"),
    "map_of_swapped_arguments": ("data.map(['a'], lambda v: v)", "map input_columns function"),
    "normalize_by_numbers": ("dataset.vision.Normalize(0.5, 0.5)", "Normalize mean 0.5"),
    "cast_of_no_such_name": ("dataset.transforms.TypeCast('float33')", "TypeCast data_type float33"),
    "one_hot_beyond": ("dataset.transforms.OneHot(3)(np.array(7))", "OneHot [0, 3) 7"),
    "zip_of_one": ("dataset.zip(data)", "zip tuple"),
    "shuffle_of_true": ("data.shuffle(True)", "shuffle buffer_size int True"),
    "repeat_of_zero": ("data.repeat(0)", "repeat count 0"),
    "sampler_class": (
        "dataset.NumpySlicesDataset(np.ones(3), ['a'], sampler=dataset.RandomSampler)",
        "sampler 'RandomSampler(...)'",
    ),
    "shards_without_an_id": ("dataset.NumpySlicesDataset(np.ones(3), ['a'], num_shards=2)", "num_shards shard_id"),
    "split_by_text": ("data.split('a')", "split sizes list a"),
}
