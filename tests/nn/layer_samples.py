"""Samples of the layers that are faces of one operation, of Cell's rarer members, and of names at the root.

The form is that of tests/ops/samples.py; to add one, add a sample and run `python -m tests.conformance.record nn_faces` with an
interpreter that has MindSpore.
"""
# ruff: noqa: E501 - one topic's samples a line

SETUP = """
x = Tensor(np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32))
y = Tensor(np.array([[.3, -.8, .55], [.1, .9, -.45]], np.float32))
i = Tensor([[1, 2, 3], [4, 5, -6]], ms.int32)
s = Tensor(np.array([[4, 1, .5], [1, 3, -1], [.5, -1, 2]], np.float32))
q = Tensor(np.sin(np.arange(64, dtype=np.float32)).reshape(1, 4, 4, 4))
vol = Tensor(np.sin(np.arange(128, dtype=np.float32)).reshape(1, 2, 4, 4, 4))
row = Tensor(np.sin(np.arange(12, dtype=np.float32)).reshape(1, 2, 6))
blob, other = np.zeros((5, 5), np.int32), np.zeros((5, 5), np.int32)
blob[1:4, 1:4], other[2:5, 0:3] = 1, 1
class Net(nn.Cell):
    def __init__(self, size=3):
        super().__init__()
        self.dense = nn.Dense(3, size, weight_init=Tensor(s.asnumpy()[:size]), has_bias=False)
        self.kept = 7
    def construct(self, v):
        return self.dense(v)
def square(v):
    return v * v
def measured(metric, *args):
    metric.clear()
    metric.update(*args)
    return metric.eval()
def after(fn, *args):
    net = Net()
    out = getattr(net, fn)(*args)
    return out, [p.name for p in net.get_parameters()]
"""

TOPICS = {
    "layer": r"""
nn.AdaptiveAvgPool3d((2,1,3))(vol); nn.AdaptiveAvgPool3d(2)(vol[0]); nn.AdaptiveAvgPool3d((None,2,None))(vol); nn.AdaptiveAvgPool3d('a')(vol); nn.AdaptiveAvgPool3d(2)(x); nn.AdaptiveMaxPool1d(2)(row); nn.AdaptiveMaxPool1d(3)(row[0]); nn.AdaptiveMaxPool1d(output_size=1)(row); nn.AdaptiveMaxPool1d('a'); nn.AdaptiveMaxPool1d(4)(row); nn.AdaptiveMaxPool1d(0); nn.AdaptiveMaxPool3d((2,1,3))(vol); nn.AdaptiveMaxPool3d(2,True)(vol); nn.AdaptiveMaxPool3d((1,2,2),return_indices=False)(vol[0]); nn.AdaptiveMaxPool3d(2)(x); nn.AdaptiveMaxPool3d('a');
nn.ChannelShuffle(2)(q); nn.ChannelShuffle(3)(q); nn.ChannelShuffle(groups=4)(q); nn.ChannelShuffle('a')(q); nn.ChannelShuffle(0)(q); nn.ChannelShuffle(2)(x); nn.PixelUnshuffle(2)(q); nn.PixelUnshuffle(downscale_factor=4)(q[0]); nn.PixelUnshuffle(3)(q); nn.PixelUnshuffle('a')(q); nn.PixelUnshuffle(2)(x); nn.PixelUnshuffle(0)(q);
nn.ConstantPad1d(2,3.)(row); nn.ConstantPad1d((1,0),0)(row); nn.ConstantPad1d((-1,2),7.)(row); nn.ConstantPad1d('a',0); nn.ConstantPad1d((1,2,3),0); nn.ConstantPad1d(1,'a'); nn.ConstantPad1d(padding=1,value=True)(row); nn.ConstantPad3d(1,.5)(vol).shape; nn.ConstantPad3d((1,0,0,1,2,0),2.)(vol[:,:1,:2,:2,:2]); nn.ConstantPad3d((1,2),0)(vol).shape; nn.ConstantPad3d('a',0); nn.ReflectionPad1d(2)(row); nn.ReflectionPad1d((3,1))(row); nn.ReflectionPad1d((9,1))(row); nn.ReflectionPad1d('a'); nn.ReflectionPad1d(-1); nn.ReflectionPad3d(1)(vol[:,:1,:2,:2,:2]); nn.ReflectionPad3d((1,0,1,1,0,1))(vol[0,:,:2,:2,:2]); nn.ReflectionPad3d(5)(vol); nn.ReflectionPad3d((1,2)); nn.ReplicationPad1d(2)(row); nn.ReplicationPad1d((0,3))(row[0]); nn.ReplicationPad1d('a'); nn.ReplicationPad1d(-1)(row); nn.ReplicationPad2d(1)(q[:,:1]); nn.ReplicationPad2d((1,2,0,1))(q[0,:1]); nn.ReplicationPad2d((1,2,3)); nn.ReplicationPad2d('a'); nn.ReplicationPad3d(1)(vol[:,:1,:2,:2,:2]); nn.ReplicationPad3d((1,0,0,1,2,0))(vol[0,:1,:2,:2,:2]); nn.ReplicationPad3d((1,2)); ms.grad(lambda v: (nn.ReflectionPad1d(2)(v)**2).sum())(row); ms.grad(lambda v: (nn.ReplicationPad2d(1)(v)**2).sum())(q[:,:1]);
nn.DropoutExt(0.)(x); nn.DropoutExt(.5)(x); nn.DropoutExt(p=1.).set_train()(x); nn.DropoutExt(0.,inplace=True).set_train()(x); nn.DropoutExt(2.); nn.DropoutExt('a'); nn.InstanceNorm3d(2)(vol); nn.InstanceNorm3d(2,affine=False)(vol); nn.InstanceNorm3d(2,eps=.1,gamma_init='zeros',beta_init='ones')(vol); nn.InstanceNorm3d('a'); nn.InstanceNorm3d(3)(vol); nn.InstanceNorm3d(0); nn.InstanceNorm3d(2)(q); nn.InstanceNorm3d(2,momentum=2.);
nn.LPPool1d(2,2)(row); nn.LPPool1d(1.,3,2)(row); nn.LPPool1d(norm_type=2,kernel_size=4,stride=3,ceil_mode=True)(row); nn.LPPool1d(2,(2,2)); nn.LPPool1d('a',2); nn.LPPool1d(2,2)(x); nn.LPPool1d(2,2)(q); nn.LPPool2d(2,2)(q); nn.LPPool2d(1,(2,3),(1,2))(q); nn.LPPool2d(3.,3,2,True)(q); nn.LPPool2d(2,'a'); nn.LPPool2d(2,2)(vol); nn.LPPool2d(2,0);
nn.MatDet()(s); nn.MatDet()(s[None]); nn.MatDet()(x); nn.MatInverse()(s); nn.MatInverse()(s[None]); nn.MatInverse()(x); nn.MatrixDiag()(x); nn.MatrixDiag()(x[0]); nn.MatrixDiag()(i); nn.MatrixDiagPart()(s); nn.MatrixDiagPart()(x); nn.MatrixDiagPart()(x[0]); nn.MatrixSetDiag()(s,x[0]); nn.MatrixSetDiag()(x,x[0,:2]); nn.MatrixSetDiag()(s,x); nn.Triu()(s); nn.Triu()(x,1); nn.Triu()(s,-1); nn.Triu()(i,k=1); nn.Triu()(x[0]); nn.Triu()(x,'a'); nn.Roll(1,0)(x); nn.Roll((1,2),(0,1))(x); nn.Roll(shift=-1,axis=1)(i); nn.Roll((1,2),0)(x); nn.Roll('a',0); nn.Roll(1,5)(x); nn.Roll(1.,0);
nn.MultilabelMarginLoss()(y,Tensor([[1,0,-1],[2,-1,0]],ms.int32)); nn.MultilabelMarginLoss('none')(y,Tensor([[1,0,-1],[2,-1,0]],ms.int32)); nn.MultilabelMarginLoss(reduction='sum')(y[0],Tensor([1,0,-1],ms.int32)); nn.MultilabelMarginLoss('a')(y,Tensor([[1,0,-1],[2,-1,0]],ms.int32)); nn.MultilabelMarginLoss()(y,y); nn.MultilabelMarginLoss()(y,Tensor([[1,0]],ms.int32));
nn.Jvp(square)(x,y); nn.Jvp(Net())(x,y); nn.Vjp(square)(x,y); nn.Vjp(Net())(x,y);
measured(nn.HausdorffDistance(),blob,other,0); measured(nn.HausdorffDistance('chessboard',percentile=50.,directed=True),blob,other,0); nn.HausdorffDistance('a'); nn.HausdorffDistance(percentile='a'); measured(nn.HausdorffDistance(),blob,3,0); measured(nn.MeanSurfaceDistance(),blob,other,0); measured(nn.MeanSurfaceDistance(True,'taxicab'),blob,other,0); nn.MeanSurfaceDistance('a'); nn.MeanSurfaceDistance(False,'a'); measured(nn.RootMeanSquareDistance(),blob,other,0); measured(nn.RootMeanSquareDistance(symmetric=True,distance_metric='chessboard'),blob,other,0); nn.RootMeanSquareDistance('a'); nn.MeanSurfaceDistance().eval(); measured(ms.train.HausdorffDistance(),blob,blob,0);
nn.VirtualDatasetCellTriple(nn.MatrixSetDiag())(s,x[0],None) if False else 0
""",
    "cell": r"""
Net().__call__(x); Net()(x,x); Net().__setattr__('extra',5); after('__setattr__','extra',nn.Dense(2,2)); after('__setattr__','dense',None); after('__delattr__','kept'); after('__delattr__','dense'); after('__delattr__','missing'); after('__setattr__','dense',3); after('__setattr__','p',Parameter(Tensor([1.]),name='p')); after('check_names_and_refresh_name'); after('update_cell_type','kind'); Net().cell_type; after('set_extra_state',{}); Net().parallel_parameter_merge_net_dict; Net().parallel_parameter_name_list; Net().phase_cache; Net().compile_cache; type(Net().create_time).__name__; Net().create_time != Net().create_time; type(Net().cell_init_args).__name__; type(Net().exist_objs).__name__; nn.CellList([Net()]).phase_cache; nn.CellList([Net()]).compile_cache; nn.SequentialCell([Net()]).check_names_and_refresh_name(); nn.CellList([Net()]).check_names_and_refresh_name(); nn.CellList([Net()]).parallel_parameter_name_list; nn.SequentialCell([Net()]).update_cell_type('a'); len(nn.SequentialCell([Net(),Net()])); [type(c).__name__ for c in nn.CellList([Net()])]; nn.SequentialCell([Net()]).set_extra_state({}); Net().compile_phase;
""",
    "optimizer": r"""
nn.SGD(Net().trainable_params(),.1).get_weight_decay(); nn.SGD(Net().trainable_params(),.1,weight_decay=.5).get_weight_decay(); nn.SGD(Net().trainable_params(),.1,weight_decay=.5,loss_scale=2.).decay_weight((s,))[0]; nn.Adam(Net().trainable_params(),weight_decay=.5).decay_weight((s,))[0]; nn.Adam(Net().trainable_params()).decay_weight((s,))[0]; nn.Adam(Net().trainable_params(),loss_scale=2.).scale_grad((s,))[0]; nn.Adam(Net().trainable_params()).scale_grad((s,))[0]; nn.Adam(Net().trainable_params()).gradients_centralization((s,))[0]; nn.Adam(Net().trainable_params()).flatten_gradients((s,))[0]; nn.Momentum([{'params':Net().trainable_params(),'weight_decay':.25}],.1,.9).get_weight_decay(); nn.Momentum([{'params':Net().trainable_params(),'weight_decay':.25}],.1,.9).decay_weight((s,))[0]; type(nn.Adam(Net().trainable_params()).get_lr()).__name__; nn.Optimizer(.1,Net().trainable_params()).get_lr(); nn.Optimizer(.1,[]); nn.Optimizer('a',Net().trainable_params()); nn.Optimizer(-1.,Net().trainable_params()); nn.Optimizer(.1,Net().trainable_params(),weight_decay=-1.); nn.Optimizer(.1,Net().trainable_params(),loss_scale=0.); isinstance(nn.SGD(Net().trainable_params(),.1),nn.Optimizer);
""",
    "root": r"""
ms.cdouble; ms.cfloat; ms.ubyte; ms.ushort; ms.uintp; ms.float8_e4m3fn; ms.float8_e5m2; ms.hifloat8; ms.qint4x2; ms.list_; ms.tuple_; ms.COMPATIBLE; ms.LAX; ms.STRICT; ms.context.COMPATIBLE; ms.context.LAX; ms.context.STRICT; ms.context.PYNATIVE_MODE; ms.mindrecord.SUCCESS; ms.mindrecord.FAILED; ms.common.initializer.initializer(ms.common.initializer.Identity(),[2,3]).init_data(); ms.common.initializer.initializer(ms.common.initializer.Identity(),[2,3,4]).init_data(); ms.common.initializer.initializer(ms.common.initializer.Zero(),[2,2],ms.float16).init_data(); ms.common.initializer.initializer(ms.common.initializer.Zero(),2,ms.int32).init_data(); Parameter(Tensor([1.]),name='p').cache_enable; ms.constexpr(len)((1,2)); ms.no_inline(square)(x);
ms.amp.StaticLossScaler(2.).scale(x); ms.amp.StaticLossScaler(2.).unscale((x,))[0]; ms.amp.StaticLossScaler(0.).unscale(x); ms.amp.StaticLossScaler('a'); ms.amp.StaticLossScaler(scale_value=4).adjust(Tensor(True)); ms.amp.StaticLossScaler(-1.); ms.amp.auto_mixed_precision(Net(),'O3')(x); ms.amp.auto_mixed_precision(Net(),'a'); ms.amp.auto_mixed_precision(3,'O1'); ms.amp.auto_mixed_precision(Net(),'O0')(x); ms.amp.auto_mixed_precision(Net(),'O3',ms.bfloat16)(x).dtype; issubclass(ms.amp.StaticLossScaler,ms.amp.LossScaler); ms.amp.LossScaler().scale(x); issubclass(ms.FixedLossScaleManager,ms.amp.LossScaleManager); ms.amp.LossScaleManager().get_loss_scale();
type(ms.amp.build_train_network(Net(),nn.SGD(Net().trainable_params(),.1),nn.MSELoss(),level='O0')).__name__; ms.amp.build_train_network(Net(),nn.SGD(Net().trainable_params(),.1),nn.MSELoss(),level='a'); ms.amp.build_train_network(3,nn.SGD(Net().trainable_params(),.1));
ms.train.Callback().begin(None); ms.train.Callback().epoch_begin(None); ms.train.Callback().step_begin(None); ms.train.Callback().on_train_begin(None); ms.train.Callback().on_train_end(None); ms.train.Callback().on_eval_begin(None); ms.train.Callback().on_eval_end(None); ms.train.Callback().on_train_epoch_begin(None); ms.train.Callback().on_train_epoch_end(None); ms.train.Callback().on_train_step_begin(None); ms.train.Callback().on_train_step_end(None); ms.train.Callback().on_eval_epoch_begin(None); ms.train.Callback().on_eval_epoch_end(None); ms.train.Callback().on_eval_step_begin(None); ms.train.Callback().on_eval_step_end(None);
""",
}


def samples(topic: str) -> list[str]:
    """The expressions of a topic, each once."""
    found = [e.strip() for line in TOPICS[topic].splitlines() for e in line.split(";")]
    return list(dict.fromkeys(e for e in found if e and "if False" not in e))
