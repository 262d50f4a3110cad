"""Records train_model.json: Model.train, eval, fit and predict, what callbacks are told and print, and what is refused."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.train_recorder import recorder

rec = recorder(
    __file__,
    "train_model.json",
    "Model and callbacks: printed text, order of events, attributes, checkpoint names, errors.",
)


def case(name, expr, setup="", modes=("pynative", "graph"), **extra):
    rec.case(name, expr, setup, modes=modes, **extra)


# Text
for name, callbacks in {
    "LossMonitor()": "[train.LossMonitor()]",
    "LossMonitor(2)": "[train.LossMonitor(2)]",
    "LossMonitor(3)": "train.LossMonitor(3)",
    "LossMonitor(5)": "train.LossMonitor(5)",
    "LossMonitor(0)": "train.LossMonitor(0)",
    "TimeMonitor()": "train.TimeMonitor()",
    "TimeMonitor(3)": "train.TimeMonitor(3)",
    "TimeMonitor(data_time)": "train.TimeMonitor(data_time=True)",
    "both": "[train.LossMonitor(2), train.TimeMonitor()]",
    "none": "None",
    "empty": "[]",
}.items():
    case(f"printed/{name}", f"printed(model().train, 2, rows(), callbacks={callbacks})")
case("printed/eval/LossMonitor", "printed(model(metrics={'mse'}).eval, rows(), callbacks=[train.LossMonitor()])")
case("printed/eval/TimeMonitor", "printed(model(metrics={'mse'}).eval, rows(), callbacks=[train.TimeMonitor()])")
case(
    "printed/fit",
    "printed(model(metrics={'mse'}).fit, 2, rows(), rows(8), callbacks=[train.LossMonitor(), train.TimeMonitor()])",
)
case("printed/fit/no_callbacks", "printed(model(metrics={'mse'}).fit, 2, rows(), rows(8))")
case("printed/fit/frequency", "printed(model(metrics={'mse', 'mae'}).fit, 3, rows(), rows(8), valid_frequency=2)")
case(
    "printed/nan",
    "printed(train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0)).train, 1, rows(4), callbacks=train.LossMonitor())",
    "net = nn.Dense(3, 2, weight_init=Tensor(np.full((2, 3), np.nan, np.float32)))\n",
)
case(
    "printed/loss_is_tuple",
    "printed(train.Model(Two(), None, opt).train, 1, rows(4), callbacks=train.LossMonitor())",
    "class Two(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.net = net\n\n    def construct(self, x, y):\n        return (self.net(x) * 0).sum() + 2.0\n\n\nnet = dense()\nopt = nn.SGD(net.trainable_params(), 0.0)\n".replace(
        "class Two", "net = dense()\n\n\nclass Two", 1
    ).replace("\n\nnet = dense()\nopt", "\n\nopt"),
)
case("printed/train_returns", "model().train(1, rows())")

# Events
case("events/train", "(model().train(2, rows(8), callbacks=[watch]), notes)[1]", "watch, notes = watcher()\n")
case("events/eval", "(model(metrics={'mse'}).eval(rows(8), callbacks=[watch]), notes)[1]", "watch, notes = watcher()\n")
case(
    "events/fit",
    "(model(metrics={'mse'}).fit(2, rows(8), rows(8), callbacks=[watch]), notes)[1]",
    "watch, notes = watcher()\n",
)
case(
    "events/fit/frequency",
    "(model(metrics={'mse'}).fit(4, rows(4), rows(4), valid_frequency=[1, 3], callbacks=[watch]), notes)[1]",
    "watch, notes = watcher()\n",
)
case(
    "events/old_names",
    "(model().train(1, rows(8), callbacks=[watch]), notes)[1]",
    "watch, notes = watcher(names=['begin', 'epoch_begin', 'step_begin', 'step_end', 'epoch_end', 'end'])\n",
)
case(
    "events/old_names/eval",
    "(model(metrics={'mse'}).eval(rows(8), callbacks=[watch]), notes)[1]",
    "watch, notes = watcher(names=['begin', 'epoch_begin', 'step_begin', 'step_end', 'epoch_end', 'end'])\n",
)
case(
    "events/both_names",
    "(model().train(1, rows(4), callbacks=[watch]), notes)[1]",
    "watch, notes = watcher(names=['step_end', 'on_train_step_end'])\n",
)
case(
    "events/two_callbacks",
    "(model().train(1, rows(4), callbacks=[a, b]), order)[1]",
    "order = []\na = train.LambdaCallback(on_train_step_end=lambda c: order.append('a'), on_train_epoch_end=lambda c: order.append('A'))\nb = train.LambdaCallback(on_train_step_end=lambda c: order.append('b'), on_train_epoch_end=lambda c: order.append('B'))\n",
)
case(
    "events/lambda_all",
    "(model(metrics={'mse'}).fit(1, rows(4), rows(4), callbacks=[c]), order)[1]",
    "order = []\nc = train.LambdaCallback(**{name: (lambda context, name=name: order.append(name)) for name in EVENTS})\n",
)
case(
    "events/context_manager",
    "(model().train(1, rows(4), callbacks=[C()]), order)[1]",
    "order = []\n\n\nclass C(train.Callback):\n    def __enter__(self):\n        order.append('enter')\n        return self\n\n    def __exit__(self, *error):\n        order.append('exit')\n",
)
case(
    "events/exception",
    "order",
    "order = []\n\n\nclass C(train.Callback):\n    def __exit__(self, *error):\n        order.append(error[0].__name__)\n\n    def on_train_step_end(self, run_context):\n        raise KeyError('x')\n\n    def on_train_end(self, run_context):\n        order.append('end')\n\n\ntry:\n    model().train(1, rows(4), callbacks=[C()])\nexcept KeyError:\n    order.append('raised')\n",
)
STOP = "class Stop(train.Callback):\n    def {0}(self, run_context):\n        run_context.request_stop()\n\n\nwatch, notes = watcher()\n"
for event in (
    "on_train_begin",
    "on_train_step_begin",
    "on_train_step_end",
    "on_train_epoch_begin",
    "on_train_epoch_end",
):
    case(f"stop/{event}", "(model().train(3, rows(8), callbacks=[Stop(), watch]), notes)[1]", STOP.format(event))
case(
    "stop/get_stop_requested",
    "(context.get_stop_requested(), context.request_stop(), context.get_stop_requested())",
    "context = train.RunContext({})\n",
)
case("stop/original_args", "train.RunContext({'a': 1}).original_args()")
case("stop/not_a_dict", "train.RunContext(3)")

# Attributes
NUMBERS = "lambda p: (p.cur_step_num, p.get('cur_epoch_num'), p.batch_num, p.get('epoch_num'), p.mode)"
for call in (
    "train(2, rows(8), callbacks=[watch])",
    "train(2, rows(8), callbacks=[watch], initial_epoch=1)",
    "eval(rows(8), callbacks=[watch])",
    "fit(2, rows(8), rows(4), callbacks=[watch])",
):
    case(
        f"numbers/{call}", f"(m.{call}, notes)[1]", f"watch, notes = watcher({NUMBERS})\nm = model(metrics={{'mse'}})\n"
    )
for phase, call in {
    "train": "train(1, rows(4), callbacks=[watch])",
    "eval": "eval(rows(4), callbacks=[watch])",
    "fit": "fit(1, rows(4), rows(4), callbacks=[watch])",
}.items():
    case(
        f"keys/{phase}",
        f"(m.{call}, notes)[1]",
        "watch, notes = watcher(lambda p: sorted(p))\nm = model(metrics={'mse'})\n",
    )
    case(
        f"types/{phase}",
        f"(m.{call}, notes)[1]",
        "watch, notes = watcher(lambda p: {key: type(p[key]).__name__ for key in sorted(p) if key not in ('train_dataset', 'valid_dataset', 'list_callback')})\nm = model(metrics={'mse'})\n",
    )
case(
    "net_outputs/train",
    "(model().train(1, rows(8), callbacks=[watch]), notes)[1]",
    "watch, notes = watcher(lambda p: p.net_outputs, ['on_train_step_end'])\n",
)
case(
    "net_outputs/eval",
    "(model(metrics={'mse'}).eval(rows(4), callbacks=[watch]), notes)[1]",
    "watch, notes = watcher(lambda p: p.net_outputs, ['on_eval_step_end'])\n",
)
case(
    "elements/train",
    "(model().train(1, rows(4), callbacks=[watch]), notes)[1]",
    "watch, notes = watcher(lambda p: p.train_dataset_element, ['on_train_step_begin', 'on_train_step_end'])\n",
)
case(
    "missing_key",
    "(model().train(1, rows(4), callbacks=[watch]), notes)[1]",
    "watch, notes = watcher(lambda p: p.nothing, ['on_train_step_end'])\n",
)
case(
    "training_flag",
    "(m.train(1, rows(4), callbacks=[watch]), m.eval(rows(4), callbacks=[watch]), notes)[2]",
    "watch, notes = watcher(lambda p: p.network.training if 'network' in p else None, ['on_train_step_end', 'on_eval_step_end'])\nm = model(metrics={'mse'})\n",
)
case(
    "training_flag/after",
    "(net.training, m.train(1, rows(4)), net.training, m.eval(rows(4)), net.training, m.predict(Tensor(np.ones((1, 3), np.float32))), net.training)",
    "net = dense()\nm = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0), metrics={'mse'})\n",
)
case(
    "names",
    "([p.name for p in net.get_parameters()], [p.name for p in m.train_network.get_parameters()])",
    "net = dense()\nm = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0))\n",
)
case(
    "train_network",
    "(type(m.train_network).__name__, type(m.predict_network).__name__, type(m.eval_network).__name__)",
    "m = model(metrics={'mse'})\n",
)
case("train_network/repr", "repr(m.train_network)", "m = model()\n")
case(
    "training/weights",
    "(m.train(2, rows()), net.weight, net.bias)",
    "net = dense()\nm = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.001))\n",
)
case(
    "training/no_loss_fn",
    "(m.train(1, rows(4), callbacks=[watch]), notes)[1]",
    "watch, notes = watcher(lambda p: p.net_outputs, ['on_train_step_end'])\nnet = nn.WithLossCell(dense(), nn.MSELoss())\nm = train.Model(net, optimizer=nn.SGD(net.trainable_params(), 0.0))\n",
)
case(
    "eval/values",
    "m.eval(rows())",
    "m = model(metrics={'mse': train.MSE(), 'mae': train.MAE(), 'loss': train.Loss()})\n",
)
case("eval/metrics_list", "m.eval(rows())", "m = model(metrics=['mse', 'loss'])\n")
case("eval/metrics_set", "sorted(m.eval(rows()).items())", "m = model(metrics={'mse', 'mae'})\n")
case("eval/no_metrics", "model().eval(rows())")
case("eval/no_loss", "train.Model(dense(), metrics={'mse'}).eval(rows())")
case(
    "eval/indexes",
    "train.Model(net, metrics={'mae': train.MAE()}, eval_network=ev, eval_indexes=[0, 1, 2]).eval(rows())",
    "net = dense()\nev = nn.WithEvalCell(net, nn.MSELoss())\n",
)
case("predict/values", "model().predict(Tensor(np.ones((2, 3), np.float32)))")
case(
    "predict/two_inputs",
    "train.Model(Add()).predict(Tensor([1.0]), Tensor([2.0]))",
    "class Add(nn.Cell):\n    def construct(self, x, y):\n        return x + y\n",
)
case("predict/no_input", "model().predict()")
case(
    "drop/remainder_batch",
    "(model().train(1, rows(10, 4), callbacks=[watch]), notes)[1]",
    "watch, notes = watcher(lambda p: (p.cur_step_num, p.batch_num, p.train_dataset_element[0].shape), ['on_train_step_end'])\n",
)
case(
    "dict_iterator_columns",
    "printed(train.Model(net, None, nn.SGD(net.trainable_params(), 0.0)).train, 1, data, callbacks=train.LossMonitor())",
    "class Three:\n    def __len__(self):\n        return 4\n\n    def __getitem__(self, i):\n        return np.float32(i), np.float32(1), np.float32(2)\n\n\nclass Net(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.w = Parameter(Tensor(1.0), name='w')\n\n    def construct(self, a, b, c):\n        return (a + b * c).sum() * self.w\n\n\nnet = Net()\ndata = ms.dataset.GeneratorDataset(Three(), ['a', 'b', 'c'], shuffle=False).batch(2)\n",
)
case(
    "cells/WithLossCell",
    "nn.WithLossCell(dense(), nn.MSELoss())(Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 2), np.float32)))",
)
case(
    "cells/WithEvalCell",
    "nn.WithEvalCell(dense(), nn.MSELoss())(Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 2), np.float32)))",
)
for sens in ("None", "2.0"):
    case(
        f"cells/TrainOneStepCell/{sens}",
        "(step(Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 2), np.float32))), net.weight)",
        f"net = dense()\nstep = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), {sens})\n",
    )
case(
    "cells/TrainOneStepCell/return_grad",
    "step(Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 2), np.float32)))",
    "net = dense()\nstep = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), return_grad=True)\n",
)
case(
    "cells/WithGradCell",
    "nn.WithGradCell(dense(), nn.MSELoss())(Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 2), np.float32)))",
)
SCALE = "net = dense()\nstep = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), scale_sense={0})\n"
for scale in (
    "Tensor(8.0, ms.float32)",
    "nn.FixedLossScaleUpdateCell(8.0)",
    "nn.DynamicLossScaleUpdateCell(4096.0, 2, 3)",
):
    case(
        f"cells/TrainOneStepWithLossScaleCell/{scale}",
        "(step(Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 2), np.float32))), net.weight)",
        SCALE.format(scale),
    )
case(
    "cells/overflow",
    "[(step(Tensor(np.full((2, 3), big, np.float32)), Tensor(np.zeros((2, 2), np.float32)))[1:], net.weight.asnumpy().copy()) for big in (1e30, 1.0)]",
    SCALE.format("nn.DynamicLossScaleUpdateCell(4096.0, 2, 3)"),
)
for manager in (
    "train.FixedLossScaleManager(8.0, False)",
    "train.FixedLossScaleManager(8.0)",
    "train.DynamicLossScaleManager(1024, 2, 2)",
):
    case(
        f"loss_scale/{manager}",
        "(m.train(1, rows(8), callbacks=[watch]), notes, net.weight)[1:]",
        f"watch, notes = watcher(lambda p: p.net_outputs, ['on_train_step_end'])\nnet = dense()\nm = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.001, loss_scale={'8.0' if 'False' in manager else '1.0'}), loss_scale_manager={manager}, amp_level='O0')\n",
    )
case(
    "loss_scale/FixedLossScaleManager/attributes",
    "(m.get_loss_scale(), m.get_drop_overflow_update(), m.update_loss_scale(True), type(m.get_update_cell()).__name__)",
    "m = train.FixedLossScaleManager()\n",
)
case(
    "loss_scale/DynamicLossScaleManager/attributes",
    "(m.get_loss_scale(), m.get_drop_overflow_update(), m.update_loss_scale(True), m.get_loss_scale(), m.update_loss_scale(False), m.get_loss_scale(), m.update_loss_scale(False), m.get_loss_scale(), type(m.get_update_cell()).__name__)",
    "m = train.DynamicLossScaleManager(16, 2, 2)\n",
)
for level in ("O0", "O1", "O2", "O3", "auto"):
    case(
        f"amp/{level}",
        "(m.train(1, rows(4), callbacks=[watch]), notes, [(p.name, str(p.dtype)) for p in net.get_parameters()])[1:]",
        f"watch, notes = watcher(lambda p: type(p.net_outputs).__name__, ['on_train_step_end'])\nnet = nn.SequentialCell(dense(), nn.BatchNorm1d(2))\nm = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0), amp_level={level!r})\n",
    )

# Checkpoints
SAVE = (
    "folder = tempfile.mkdtemp()\nsaver = train.ModelCheckpoint({0})\nmodel().train({1}, rows(), callbacks=[saver])\n"
)
for name, (args, epochs) in {
    "default": ("directory=folder", 1),
    "prefix": ("'net', folder", 2),
    "every_step": ("'net', folder, train.CheckpointConfig(save_checkpoint_steps=1)", 2),
    "every_2": ("'net', folder, train.CheckpointConfig(save_checkpoint_steps=2)", 2),
    "every_epoch": ("'net', folder, train.CheckpointConfig(save_checkpoint_steps=3)", 3),
    "keep_2": ("'net', folder, train.CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=2)", 2),
    "keep_0": ("'net', folder, train.CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=0)", 3),
    "beyond_the_end": ("'net', folder, train.CheckpointConfig(save_checkpoint_steps=100)", 2),
    "seconds": ("'net', folder, train.CheckpointConfig(save_checkpoint_steps=0, save_checkpoint_seconds=100)", 1),
    "safetensors": ("'net', folder, train.CheckpointConfig(save_checkpoint_steps=3, format='safetensors')", 1),
    "function_prefix": (
        "lambda p: f'e{p.cur_epoch_num}s{p.cur_step_num}', folder, train.CheckpointConfig(save_checkpoint_steps=3)",
        2,
    ),
    "append_info": (
        "'net', folder, train.CheckpointConfig(save_checkpoint_steps=3, append_info=['epoch_num', 'step_num', {'lr': 0.5}])",
        1,
    ),
}.items():
    case(f"checkpoint/{name}", "files(folder)", SAVE.format(args, epochs))
case(
    "checkpoint/twice_in_a_folder",
    "files(folder)",
    SAVE.format("'net', folder", 1) + "model().train(1, rows(), callbacks=[train.ModelCheckpoint('net', folder)])\n",
)
case(
    "checkpoint/same_callback_twice",
    "files(folder)",
    SAVE.format("'net', folder", 1) + "model().train(1, rows(), callbacks=[saver])\n",
)
case(
    "checkpoint/latest",
    "os.path.basename(saver.latest_ckpt_file_name)",
    SAVE.format("'net', folder, train.CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=2)", 2),
)
case(
    "checkpoint/content",
    "sorted(ms.load_checkpoint(saver.latest_ckpt_file_name).keys())",
    SAVE.format("'net', folder", 1),
)
case(
    "checkpoint/content/append_info",
    "{k: v for k, v in sorted(ms.load_checkpoint(saver.latest_ckpt_file_name).items()) if '.' not in k and k not in ('weight', 'bias')}",
    SAVE.format(
        "'net', folder, train.CheckpointConfig(save_checkpoint_steps=3, append_info=['epoch_num', 'step_num', {'lr': 0.5}])",
        1,
    ),
)
case(
    "checkpoint/makes_the_folder",
    "files(os.path.join(folder, 'a', 'b'))",
    "folder = tempfile.mkdtemp()\nmodel().train(1, rows(), callbacks=[train.ModelCheckpoint('net', os.path.join(folder, 'a', 'b'))])\n",
)
case(
    "checkpoint/stopped_early",
    "files(folder)",
    "folder = tempfile.mkdtemp()\nsaver = train.ModelCheckpoint('net', folder, train.CheckpointConfig(save_checkpoint_steps=100))\n\n\nclass Stop(train.Callback):\n    def on_train_step_end(self, run_context):\n        run_context.request_stop()\n\n\nmodel().train(2, rows(), callbacks=[Stop(), saver])\n",
)
case(
    "checkpoint/saved_network",
    "sorted(ms.load_checkpoint(saver.latest_ckpt_file_name).keys())",
    "folder = tempfile.mkdtemp()\nother = nn.Dense(1, 1)\nsaver = train.ModelCheckpoint('net', folder, train.CheckpointConfig(save_checkpoint_steps=3, saved_network=other))\nmodel().train(1, rows(), callbacks=[saver])\n",
)
for args in (
    "ModelCheckpoint(prefix=3)",
    "ModelCheckpoint('a/b')",
    "ModelCheckpoint('net', 3)",
    "ModelCheckpoint('net', '.', 3)",
    "CheckpointConfig(save_checkpoint_steps=-1)",
    "CheckpointConfig(save_checkpoint_steps=1.5)",
    "CheckpointConfig(save_checkpoint_steps=0, save_checkpoint_seconds=0)",
    "CheckpointConfig(keep_checkpoint_max=-1)",
    "CheckpointConfig(saved_network=3)",
    "CheckpointConfig(append_info='a')",
    "CheckpointConfig(append_info=['x'])",
    "CheckpointConfig(format='x')",
    "CheckpointConfig(async_save=3)",
    "CheckpointConfig(integrated_save='a')",
    "CheckpointConfig(enc_key=3)",
    "LossMonitor(-1)",
    "LossMonitor(1.5)",
    "LossMonitor('a')",
    "TimeMonitor('a')",
    "TimeMonitor(0)",
    "LambdaCallback(3)",
    "EarlyStopping(mode='x')",
    "EarlyStopping(patience=-1)",
    "EarlyStopping(monitor=3)",
    "ReduceLROnPlateau(factor=1.5)",
    "ReduceLROnPlateau(patience=-1)",
    "LearningRateScheduler(3)",
    "FixedLossScaleManager(0)",
    "FixedLossScaleManager('a')",
    "DynamicLossScaleManager(0)",
    "DynamicLossScaleManager(2, 1)",
    "DynamicLossScaleManager(2, 2, 0)",
):
    case(f"errors/{args}", f"type(train.{args}).__name__", modes=("pynative",))

# Other callbacks
case("History", "(m.train(2, rows(8), callbacks=[h]), h.history, h.epoch)[1:]", "h = train.History()\nm = model()\n")
case(
    "History/fit",
    "(m.fit(2, rows(8), rows(4), callbacks=[h]), h.history, h.epoch)[1:]",
    "h = train.History()\nm = model(metrics={'mse'})\n",
)
case(
    "LearningRateScheduler",
    "(m.train(2, rows(8), callbacks=[s]), opt.learning_rate, seen)[1:]",
    "seen = []\n\n\ndef rate(lr, step):\n    seen.append((round(float(lr), 6), step))\n    return lr * 0.5\n\n\nnet = dense()\nopt = nn.SGD(net.trainable_params(), 0.5)\nm = train.Model(net, nn.MSELoss(), opt)\ns = train.LearningRateScheduler(rate)\n",
)
for options in (
    "monitor='loss', patience=1",
    "monitor='loss', patience=2, verbose=True",
    "monitor='mse', mode='max', patience=0, verbose=True",
    "patience=1",
    "monitor='loss', baseline=0.0, patience=1",
    "monitor='nothing', patience=1",
):
    case(
        f"EarlyStopping({options})",
        "(printed(m.fit, 6, rows(4), rows(4), callbacks=[train.EarlyStopping("
        + options
        + "), watch]), [n for n in notes])",
        "watch, notes = watcher(lambda p: p.cur_epoch_num, ['on_train_epoch_end'])\nm = model(metrics={'mse', 'loss'})\n",
    )
for options in (
    "monitor='loss', patience=1, factor=0.5, verbose=True",
    "monitor='loss', patience=1, factor=0.5, min_lr=0.2",
    "monitor='loss', patience=1, factor=0.5, cooldown=2",
    "patience=1",
):
    case(
        f"ReduceLROnPlateau({options})",
        "(printed(m.fit, 5, rows(4), rows(4), callbacks=[train.ReduceLROnPlateau("
        + options
        + ")]), opt.learning_rate)",
        "net = nn.Dense(3, 2, weight_init='zeros', bias_init='zeros')\nnet.requires_grad = True\nopt = nn.SGD([Parameter(Tensor([0.0]), name='unused')] if False else net.trainable_params(), 0.5)\nopt.learning_rate.set_data(Tensor(0.5, ms.float32))\nm = train.Model(Frozen(), nn.MSELoss(), opt, metrics={'mse', 'loss'})\n".replace(
            "net = nn.Dense",
            "class Frozen(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.net = net\n\n    def construct(self, x):\n        return self.net(x * 0) * 0\n\n\nnet = nn.Dense",
            1,
        )
        .replace("[Parameter(Tensor([0.0]), name='unused')] if False else ", "")
        .replace("net.requires_grad = True\n", ""),
    )

# Errors
for name, text in {
    "network/number": "train.Model(3)",
    "network/none": "train.Model(None)",
    "network/function": "train.Model(lambda x: x)",
    "optimizer/number": "train.Model(dense(), nn.MSELoss(), 3)",
    "metrics/unknown": "model(metrics={'nothing'})",
    "metrics/number": "model(metrics=3)",
    "metrics/bad_dict": "model(metrics={'a': 3})",
    "amp/unknown": "model(amp_level='O9')",
    "keyword/unknown": "model(nothing=1)",
    "train/no_optimizer": "train.Model(dense(), nn.MSELoss()).train(1, rows())",
    "train/no_loss": "train.Model(dense(), None, nn.SGD(dense().trainable_params(), 0.1)).train(1, rows())",
    "train/epoch_0": "model().train(0, rows())",
    "train/epoch_negative": "model().train(-1, rows())",
    "train/epoch_float": "model().train(1.5, rows())",
    "train/epoch_string": "model().train('1', rows())",
    "train/no_dataset": "model().train(1)",
    "train/list_dataset": "model().train(1, [1, 2])",
    "train/none_dataset": "model().train(1, None)",
    "train/callback_number": "model().train(1, rows(), callbacks=3)",
    "train/callback_list": "model().train(1, rows(), callbacks=[3])",
    "train/sink_size_0": "model().train(1, rows(), sink_size=0)",
    "train/sink_string": "model().train(1, rows(), dataset_sink_mode='a')",
    "train/initial_epoch": "model().train(1, rows(), initial_epoch=1)",
    "train/initial_epoch_negative": "model().train(1, rows(), initial_epoch=-1)",
    "train/batch_too_large": "model().train(1, ms.dataset.GeneratorDataset(Rows(3), ['x', 'y']).batch(4, drop_remainder=True))",
    "eval/none": "model(metrics={'mse'}).eval(None)",
    "eval/callback": "model(metrics={'mse'}).eval(rows(), callbacks=3)",
    "fit/no_metrics": "model().fit(1, rows(), rows())",
    "fit/no_valid": "model(metrics={'mse'}).fit(1, rows())",
    "fit/frequency_0": "model(metrics={'mse'}).fit(1, rows(), rows(), valid_frequency=0)",
    "fit/frequency_list": "model(metrics={'mse'}).fit(1, rows(), rows(), valid_frequency=['a'])",
    "eval_indexes/short": "train.Model(dense(), metrics={'mse'}, eval_network=dense(), eval_indexes=[0])",
    "train/one_column": "model().train(1, ms.dataset.GeneratorDataset(Rows(4), ['x', 'y']).project(['x']).batch(2))",
    "train/shapes": "model().train(1, ms.dataset.NumpySlicesDataset((np.ones((4, 5), np.float32), np.ones((4, 2), np.float32)), ['x', 'y']).batch(2))",
    "boost/unknown": "model(boost_level='x')",
    "loss_scale/bad": "model(loss_scale_manager=3)",
    "keep_batchnorm_fp32/bad": "model(keep_batchnorm_fp32='a')",
    "predict/numpy": "model().predict(np.ones((1, 3), np.float32))",
    "build": "model().build(rows(), epoch=1)",
}.items():
    case(f"errors/{name}", text, modes=("pynative",))

rec.write()
