"""Samples of the primitive classes that are faces of one function, in the form of `samples.py`.

What is the same for all of a kind is crossed: every class of one tensor meets every dtype, and where it has a slope
MindSpore's gradient is recorded with it. To add a class, add its name (or a sample to `TOPICS`) and run
`python -m tests.conformance.record ops_faces` with an interpreter that has MindSpore.
"""
# ruff: noqa: E501 - one topic's samples a line

SETUP = """
x = Tensor(np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32))
y = Tensor(np.array([[.3, -.8, .55], [.1, .9, -.45]], np.float32))
p = Tensor(np.array([[1.2, 2.5, 3.75], [4.1, 1.9, 6.3]], np.float32))
i = Tensor([[1, 2, 3], [4, 5, -6]], ms.int32)
j = Tensor([[3, 1, 2], [6, -5, 4]], ms.int32)
b = Tensor([[True, False, True], [True, True, True]])
c = Tensor(np.array([[1 + 2j, -2, 3j], [4, 5 - 1j, -6.5]], np.complex64))
h, d, l = y.astype(ms.float16), y.astype(ms.float64), i.astype(ms.int64)
u = Tensor([1, 2, 250], ms.uint8)
n = Tensor(np.array([[1, np.nan, np.inf], [-np.inf, 0, -0.]], np.float32))
s = Tensor(np.array([[4, 1, .5], [1, 3, -1], [.5, -1, 2]], np.float32))
q = Tensor(np.sin(np.arange(64, dtype=np.float32)).reshape(1, 4, 4, 4))
vol = Tensor(np.sin(np.arange(128, dtype=np.float32)).reshape(1, 2, 4, 4, 4))
boxes = Tensor(np.array([[2, 2, 4, 5], [1, 1, 6, 4]], np.float32))
at, rows = Tensor([1, 0], ms.int32), Tensor([[0], [1]], ms.int32)
spots = Tensor([[0, 1], [1, 2], [0, 1]], ms.int32)
def put(fn, *args, v=x):
    v = Parameter(v.copy(), name="v")
    out = fn(v, *args)
    return out, Tensor(v.asnumpy().copy())
def slope(fn, *args, at=0):
    return ms.grad(lambda *a: ops.sum(fn(*a) * fn(*a)), at)(*args)
"""

UNARY = (
    "ACos Abs Acosh Angle Asin Asinh Atan Atanh Ceil Conj Cos Cosh Digamma Elu Eps Erf Erfc Erfinv Exp Expm1 FastGeLU "
    "FastGelu Floor GeLU Gelu HShrink HSigmoid HSwish Imag Invert IsFinite IsInf IsNan Lgamma Log Log1p LogicalNot "
    "Logit Mish Neg OnesLike PopulationCount ReLU6 Real Reciprocal Reusing Round Rsqrt SeLU Sigmoid Sign Sin Sinc Sinh "
    "SoftShrink Softplus Softsign Sqrt Square StopGradient Tanh Trunc BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 "
    "BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1 CeLU LogSoftmax NanToNum ComplexAbs TensorShape"
).split()
ONE = "y p h i b c n".split()
BINARY = (
    "Atan2 BitwiseAnd BitwiseOr BitwiseXor Equal FloorDiv Fmax Fmin Gcd Greater GreaterEqual Heaviside Hypot Igamma "
    "Igammac IsClose Lcm LeftShift RightShift Less LessEqual LogicalAnd LogicalOr LogicalXor Maximum Minimum NextAfter "
    "NotEqual Polar TensorAdd TruncateMod Xlogy Zeta ApproximateEqual"
).split()
TWO = "x,y p,p+1 x,i i,j b,b h,y y,2 c,c x,Tensor([1.,2.]) 'a',x".split()
SMOOTH = (
    "ACos Abs Asin Asinh Atan Atanh Cos Cosh Elu Erf Erfc Erfinv Exp Expm1 FastGeLU GeLU HShrink HSigmoid HSwish Log1p "
    "Mish Neg ReLU6 Reciprocal SeLU Sigmoid Sin Sinc Sinh SoftShrink Softplus Softsign Square Tanh CeLU LogSoftmax "
    "BesselI0 BesselI0e BesselI1 BesselI1e"
).split()
SMOOTH_ABOVE = (
    "Acosh Digamma Lgamma Log Rsqrt Sqrt BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1"
).split()
SMOOTH_TWO = "Atan2 Fmax Fmin Hypot Maximum Minimum TensorAdd Xlogy FloorDiv TruncateMod".split()

CROSSED = {
    "unary": [f"ops.{name}()({one})" for name in UNARY for one in ONE],
    "binary": [f"ops.{name}()({two})" for name in BINARY for two in TWO],
    "slope": [f"slope(ops.{name}(),y)" for name in SMOOTH]
    + [f"slope(ops.{name}(),p)" for name in SMOOTH_ABOVE]
    + [f"slope(ops.{name}(),p,y+p,at={at})" for name in SMOOTH_TWO for at in (0, 1)],
}

TOPICS = {
    "nn": r"""
ops.AdaptiveAvgPool3D((2,2,2))(vol); ops.AdaptiveAvgPool3D((None,1,3))(vol); ops.AdaptiveAvgPool3D(2)(vol); ops.AdaptiveAvgPool3D(2)(q); ops.AdaptiveAvgPool3D('a'); ops.AdaptiveAvgPool3D((1,2)); ops.AdaptiveAvgPool3D(2)(x);
ops.AdaptiveMaxPool2D((2,2))(q); ops.AdaptiveMaxPool2D((None,3))(q); ops.AdaptiveMaxPool2D(2)(q); ops.AdaptiveMaxPool2D(2)(q[0]); ops.AdaptiveMaxPool2D(2)(x); ops.AdaptiveMaxPool2D('a'); ops.AdaptiveMaxPool2D((-1,2))(q);
ops.AffineGrid()(Tensor([[[.8,.5,0],[-.5,.8,0]]],ms.float32),(1,3,2,3)); ops.AffineGrid(True)(Tensor([[[.8,.5,0],[-.5,.8,0]]],ms.float32),(1,3,2,3)); ops.AffineGrid()(x,(1,3,2,3)); ops.AffineGrid(3);
ops.BiasAdd()(x,x[0]); ops.BiasAdd()(q,Tensor([1.,2.,3.,4.])); ops.BiasAdd('NHWC')(q,Tensor([1.,2.,3.,4.])); ops.BiasAdd()(x,x[0,:2]); ops.BiasAdd('a'); ops.BiasAdd()(x,x); ops.BiasAdd('NCDHW')(vol,Tensor([1.,2.])); ops.BiasAdd()(x[0],x[0]); ops.BiasAdd()(h,h[0]); ops.BiasAdd()(x,h[0]); slope(ops.BiasAdd(),x,x[0],at=1);
ops.BoundingBoxEncode()(boxes,boxes*1.5); ops.BoundingBoxEncode((.1,.2,.3,.4),(.5,1.,2.,.1))(boxes,boxes+1); ops.BoundingBoxEncode()(x,x); ops.BoundingBoxEncode(means=3,stds=(1.,1.,1.,1.))(boxes,boxes); ops.BoundingBoxEncode((1,2),(1,2));
ops.BoundingBoxDecode((768,1280))(boxes,boxes/9); ops.BoundingBoxDecode(max_shape=(10,12),means=(.1,0.,.2,0.),stds=(.1,.1,.2,.2),wh_ratio_clip=.5)(boxes,boxes/9); ops.BoundingBoxDecode(3); ops.BoundingBoxDecode((1,1))(x,x);
ops.CheckValid()(boxes,Tensor([4.,5.,1.])); ops.CheckValid()(Tensor([[0,0,3,3]]),Tensor([4,5,1])); ops.CheckValid()(x,x[0]); ops.CheckValid()(boxes,Tensor([4.,5.]));
ops.ChannelShuffle(2)(q); ops.ChannelShuffle(3)(q); ops.ChannelShuffle(4)(vol.reshape(1,8,4,4)); ops.ChannelShuffle(2)(x); ops.ChannelShuffle(0); ops.ChannelShuffle(2)(q.astype(ms.int32));
ops.CheckNumerics()(x); ops.CheckNumerics()(n); ops.CheckNumerics()(i); ops.CheckNumerics()(d);
ops.ComputeAccidentalHits()(Tensor([[1],[2],[0]]),Tensor([2,0,1])); ops.ComputeAccidentalHits(2)(Tensor([[1,2],[0,4],[3,3]]),Tensor([0,1,2,3,4])); ops.ComputeAccidentalHits(2)(Tensor([[1],[2]]),Tensor([2])); ops.ComputeAccidentalHits(1)(x,x[0]); ops.ComputeAccidentalHits('a');
ops.ConfusionMatrix(3)(Tensor([1,2,0],ms.int32),Tensor([1,0,0],ms.int32)); ops.ConfusionMatrix(4,"float32")(Tensor([0,1,1,3],ms.int32),Tensor([0,1,2,3],ms.int32)); ops.ConfusionMatrix(3)(Tensor([1,2],ms.int32),Tensor([1,0],ms.int32),Tensor([2.,3.])); ops.ConfusionMatrix('a'); ops.ConfusionMatrix(2)(Tensor([1,2],ms.int32),Tensor([1,0],ms.int32)); ops.ConfusionMatrix(3,3);
ops.Dense()(x,s); ops.Dense()(x,s,x[0]); ops.Dense()(x,s[:2],Tensor([1.,2.])); ops.Dense()(x,q); ops.Dense()(x[0],s); ops.Dense()(i,i); ops.Dense()(x,x[0]); ops.Dense()(x,y.T); slope(ops.Dense(),x,s); slope(ops.Dense(),x,s,x[0],at=(1,2));
ops.Dropout3D(1.0)(vol)[0]; ops.Dropout3D(.5)(vol)[1].dtype; ops.Dropout3D(.5)(vol)[0].shape; ops.Dropout3D(2.); ops.Dropout3D('a'); ops.Dropout3D(.5)(x); ops.Dropout3D(.0)(vol)[0];
ops.DropoutGenMask(1,2)((2,4),Tensor(.5,ms.float32)).dtype; ops.DropoutGenMask()((20,40),.5).shape; ops.DropoutDoMask()(x,ops.DropoutGenMask()((2,3),Tensor(1.,ms.float32)),Tensor(1.,ms.float32)); ops.DropoutGenMask('a');
ops.EditDistance()(Tensor([[0,0,0],[1,0,1],[1,1,1]]),Tensor([1.,2.,3.]),Tensor([2,1,2]),Tensor([[0,1,0],[0,0,1],[1,1,0],[1,0,1]]),Tensor([1.,2.,1.,3.]),Tensor([2,2,2]));
ops.EditDistance(False)(Tensor([[0,0],[0,1],[1,0]]),Tensor([1,2,3]),Tensor([2,2]),Tensor([[0,0],[1,0],[1,1]]),Tensor([2,3,3]),Tensor([2,2])); ops.EditDistance(3); ops.EditDistance()(x,x,x,x,x,x);
ops.Elu(2.)(x); ops.Elu(1.)(x); ops.Elu(alpha='a'); ops.CeLU(.5)(x); ops.CeLU(0.); ops.CeLU('a'); ops.CeLU(-2.)(x);
ops.FractionalMaxPoolWithFixedKsize(2,(2,2))(q,Tensor(np.full((1,4,2),.6),ms.float32)); ops.FractionalMaxPoolWithFixedKsize(ksize=(2,1),output_shape=(3,2))(q,Tensor(np.full((1,4,2),.2),ms.float32)); ops.FractionalMaxPoolWithFixedKsize(2,(9,9))(q,Tensor(np.full((1,4,2),.6),ms.float32)); ops.FractionalMaxPoolWithFixedKsize('a',2); ops.FractionalMaxPoolWithFixedKsize(2,(2,2))(q,Tensor(np.full((1,3,2),.6),ms.float32)); ops.FractionalMaxPoolWithFixedKsize(2,(2,2),data_format='NHWC');
ops.FractionalMaxPool3DWithFixedKsize(2,(2,2,2))(vol,Tensor(np.full((1,2,3),.6),ms.float32)); ops.FractionalMaxPool3DWithFixedKsize((1,2,1.),(3,2,2))(vol,Tensor(np.full((1,2,3),.6),ms.float32)); ops.FractionalMaxPool3DWithFixedKsize((1,2,1),(3,2,2))(vol,Tensor(np.full((1,2,3),.6),ms.float32));
ops.GLU()(q); ops.GLU(1)(q); ops.GLU(axis=-2)(q); ops.GLU()(x); ops.GLU(5)(q); ops.GLU('a'); slope(ops.GLU(),q);
ops.GridSampler2D()(q,Tensor(np.linspace(-1.2,1.1,12).reshape(1,2,3,2),ms.float32)); ops.GridSampler2D('nearest','border',True)(q,Tensor(np.linspace(-1.2,1.1,12).reshape(1,2,3,2),ms.float32)); ops.GridSampler2D('bilinear','reflection')(q,Tensor(np.linspace(-2.2,1.7,12).reshape(1,2,3,2),ms.float32)); ops.GridSampler2D('a'); ops.GridSampler2D(align_corners=3); ops.GridSampler2D()(x,x); ops.GridSampler2D(padding_mode='a');
ops.GridSampler3D()(vol,Tensor(np.linspace(-1.2,1.1,24).reshape(1,2,2,2,3),ms.float32)); ops.GridSampler3D('nearest','reflection',True)(vol,Tensor(np.linspace(-1.2,1.1,24).reshape(1,2,2,2,3),ms.float32)); ops.GridSampler3D('bilinear','border',False)(vol,Tensor(np.linspace(-1.2,1.1,24).reshape(1,2,2,2,3),ms.float32)); ops.GridSampler3D('bicubic'); ops.GridSampler3D()(q,q);
ops.HShrink(.9)(x); ops.HShrink(lambd=2)(x); ops.HShrink('a'); ops.SoftShrink(1.7)(x); ops.SoftShrink(-1.); ops.SoftShrink('a'); ops.LogSoftmax(0)(x); ops.LogSoftmax(axis=1)(x); ops.LogSoftmax(2)(x); ops.LogSoftmax('a'); slope(ops.LogSoftmax(0),x);
ops.InTopK(2)(x,at); ops.InTopK(k=3)(x,at); ops.InTopK(1)(x,Tensor([0,1,2],ms.int32)); ops.InTopK('a'); ops.InTopK(2)(x,Tensor([5,1],ms.int32)); ops.InTopK(2)(i,at); ops.InTopK(0)(x,at); ops.InTopK(9)(x,at);
ops.NLLLoss()(y,at,Tensor([1.,2.,3.])); ops.NLLLoss('none')(y,at,Tensor([1.,2.,3.])); ops.NLLLoss('sum',1)(y,at,Tensor([1.,2.,3.])); ops.NLLLoss('a'); ops.NLLLoss()(y,at,Tensor([1.,2.])); ops.NLLLoss('none',ignore_index=0)(y,at,Tensor([1.,2.,3.])); ops.NLLLoss()(x,x,x[0]);
ops.PReLU()(x,Tensor([.1,.2,.3])); ops.PReLU()(q,Tensor([.25])); ops.PReLU()(x,Tensor([.1,.2])); ops.PReLU()(x,x); ops.PReLU()(i,i[0]); ops.PReLU()(h,h[0]); slope(ops.PReLU(),x,Tensor([.1,.2,.3]),at=(0,1));
ops.ResizeNearestNeighborV2()(q,Tensor([2,3],ms.int32)); ops.ResizeNearestNeighborV2(True)(q,Tensor([6,3],ms.int32)); ops.ResizeNearestNeighborV2(False,True)(q,Tensor([3,7],ms.int32)); ops.ResizeNearestNeighborV2(True,True); ops.ResizeNearestNeighborV2()(q,(3,3)); ops.ResizeNearestNeighborV2('a');
ops.ReverseSequence(1)(x,Tensor([2,3])); ops.ReverseSequence(seq_dim=0,batch_dim=1)(s,Tensor([1,2,3])); ops.ReverseSequence(1)(x,Tensor([2,9])); ops.ReverseSequence('a'); ops.ReverseSequence(0)(s,Tensor([1,2,3])); ops.ReverseSequence(1)(x,Tensor([2,3],ms.int32)); ops.ReverseSequence(1)(x,x[0]);
ops.RGBToHSV()(Tensor([[[.25,.5,.75],[.9,.1,.3],[.2,.2,.2]]],ms.float32)[None]); ops.RGBToHSV()(Tensor([[.25,.5,.75]],ms.float64)); ops.RGBToHSV()(q); ops.RGBToHSV()(i);
ops.MaxUnpool3D(2)(ops.ones((1,1,1,1,2),ms.float32),Tensor([[[[[0,7]]]]])); ops.MaxUnpool3D((1,2,2),(1,2,2),0,(1,1,1,2,4))(ops.ones((1,1,1,1,2),ms.float32),Tensor([[[[[0,7]]]]])); ops.MaxUnpool3D(2)(x,i); ops.MaxUnpool3D('a'); ops.MaxUnpool3D(2)(ops.ones((1,1,1,1,2),ms.float32),Tensor([[[[[0,99]]]]]));
ops.max_unpool1d(Tensor([[[2.,4.,6.]]]),Tensor([[[1,3,4]]]),2); ops.max_unpool1d(Tensor([[2.,4.]]),Tensor([[0,3]]),kernel_size=2,stride=2,padding=0); ops.max_unpool1d(Tensor([[[2.,4.]]]),Tensor([[[1,3]]]),2,output_size=(1,1,5)); ops.max_unpool1d(x,i,'a'); ops.max_unpool1d(Tensor([[[2.,4.]]]),Tensor([[[1,9]]]),2); ops.max_unpool1d(q,q,2);
ops.max_unpool3d(ops.ones((1,1,1,1,2),ms.float32),Tensor([[[[[0,7]]]]]),2); ops.max_unpool3d(ops.ones((1,1,1,2),ms.float32),Tensor([[[[3,12]]]]),2,2,0,(1,2,2,4)); ops.max_unpool3d(x,i,2);
ops.Renorm(2,0,1.)(x); ops.Renorm(p=1,dim=1,maxnorm=2.)(x); ops.Renorm(2,-1,1.)(x); ops.Renorm(2,5,1.)(x); ops.Renorm('a',0,1.); ops.Renorm(0,0,1.)(x); ops.Renorm(2,0,-1.)(x); ops.Renorm(2,0,1.)(i); ops.Renorm(2.,0,1.); ops.Renorm(2,0,1.)(h);
ops.LpNorm(1)(x); ops.LpNorm(axis=[0,1],p=1,keep_dims=True)(x); ops.LpNorm(0,3)(x); ops.LpNorm(5)(x); ops.LpNorm('a'); ops.LpNorm(1,0)(x); ops.LpNorm(-1,2,False,1e-3)(x); ops.LpNorm(1)(i); ops.LpNorm((0,1))(h);
ops.SquareSumAll()(x,y); ops.SquareSumAll()(x,x[0]); ops.SquareSumAll()(h,h); ops.SquareSumAll()(i,i);
ops.LogUniformCandidateSampler(2,3,False,5,seed=1)(Tensor([[1,3],[3,4]]))[0].shape; ops.LogUniformCandidateSampler(1,5,True,5)(Tensor([[1],[3]]))[1].shape; ops.LogUniformCandidateSampler(1,6,True,5); ops.LogUniformCandidateSampler(2,3,True,5)(Tensor([[1],[3]])); ops.LogUniformCandidateSampler('a',3,True,5);
ops.UniformCandidateSampler(1,3,False,4)(Tensor([[1],[3]]))[0].dtype; ops.UniformCandidateSampler(1,3,True,4)(Tensor([[1],[3]]))[2].shape; ops.UniformCandidateSampler(1,5,True,4)(Tensor([[1],[3]])); ops.UniformCandidateSampler('a',1,True,4); ops.uniform_candidate_sampler(Tensor([[1],[3]]),1,3,False,4)[1]; ops.uniform_candidate_sampler(Tensor([[1],[3]]),1,3,False,4,seed=2)[2].shape; ops.uniform_candidate_sampler(x,1,3,False,4);
ops.add_layer_norm(x,y,x[0],y[0],1e-5); ops.add_layer_norm(x,y,x[0],y[0],1e-3,True); ops.mirror_pad(x,Tensor([[1,1],[2,1]]),'REFLECT'); ops.mirror_pad(x,Tensor([[1,1],[2,1]]),'SYMMETRIC'); ops.mirror_pad(x,Tensor([[1,1],[2,1]]),'a'); ops.mirror_pad(x,Tensor([[0,0],[3,1]]),'REFLECT');
""",
    "array": r"""
ops.AccumulateNV2()((x,y,p)); ops.AccumulateNV2()([x]); ops.AccumulateNV2()((i,j)); ops.AccumulateNV2()((x,i)); ops.AccumulateNV2()((x,x[0])); ops.AccumulateNV2()(()); ops.AccumulateNV2()(x);
ops.Addcdiv()(x,y,p,Tensor(2.)); ops.Addcdiv()(x,y,p[0],Tensor([.5])); ops.Addcdiv()(i,i,j,Tensor(1,ms.int32)); ops.Addcdiv()(x,y,p,2.); ops.Addcdiv()(h,h,h,Tensor(.5,ms.float16)); ops.Addcdiv()(x,y,Tensor([1.,2.]),Tensor(1.));
ops.Addcmul()(x,y,p,Tensor(2.)); ops.Addcmul()(x,y[0],p,Tensor([.5])); ops.Addcmul()(i,i,j,Tensor(2,ms.int32)); ops.Addcmul()(x,i,p,Tensor(2.)); ops.Addcmul()(x,y,p,2.); slope(ops.Addcmul(),x,y,p,Tensor(2.),at=(0,1,2)); slope(ops.Addcdiv(),x,y,p,Tensor(2.),at=(0,1,2));
put(ops.AssignSub(),y); put(ops.AssignSub(),Tensor([1.])); put(ops.AssignSub(),i); put(ops.AssignSub(),2.); put(ops.AssignSub(),j,v=i); put(ops.AssignSub(),x[0]);
ops.Bincount()(Tensor([1,2,2,7],ms.int32),Tensor(4,ms.int32),Tensor([1.,2.,3.,4.])); ops.Bincount()(Tensor([1,2,2,0],ms.int32),Tensor(4,ms.int32),Tensor([1,2,3,4],ms.int32)); ops.Bincount()(Tensor([1,2,2],ms.int32),Tensor(4,ms.int32),Tensor([1.])); ops.Bincount()(Tensor([-1,2],ms.int32),Tensor(3,ms.int32),Tensor([1.,2.])); ops.Bincount()(x,x,x);
ops.Bucketize([1.,3.])(x); ops.Bucketize(boundaries=[0.])(i); ops.Bucketize([])(x); ops.Bucketize('a'); ops.Bucketize([1.])(Tensor(2.)); ops.Bucketize([2,3])(i); ops.Bucketize([1.])(d); ops.Bucketize([1.])(h);
ops.CopyWithSlice()(Tensor([1.,2.]),Tensor([3.,4.])); ops.Cross(1)(x,y); ops.Cross()(x,y); ops.Cross(dim=0)(s,s+1); ops.Cross(0)(x,y); ops.Cross('a'); ops.Cross(1)(i,j); ops.Cross(1)(x,i); ops.Cross(5)(x,y); slope(ops.Cross(1),x,y);
ops.Cummax(1)(x); ops.Cummax(axis=0)(i); ops.Cummin(1)(x); ops.Cummin(-1)(i); ops.Cummax(3)(x); ops.Cummin('a'); ops.Cummax(0)(h); ops.Cummin(0)(u); ops.Cummax(1.5); ops.Cummin(0)(n); slope(lambda v: ops.Cummax(1)(v)[0],x); slope(lambda v: ops.Cummin(1)(v)[0],x);
ops.Depend()(x,y); ops.Depend()(3,x); ops.Diag()(x[0]); ops.Diag()(x); ops.Diag()(i[0]); ops.Diag()(Tensor(1.)); ops.DiagPart()(s); ops.DiagPart()(x); ops.DiagPart()(ops.Diag()(x)); ops.DiagPart()(x[0]); ops.Diag()(b[0]); ops.Diag()('a'); slope(ops.Diag(),x[0]);
ops.DynamicShape()(x); ops.DynamicShape()(Tensor(1.)); ops.dyn_shape(x); ops.dyn_shape(3); ops.EuclideanNorm()(x,Tensor([1])); ops.EuclideanNorm(True)(x,Tensor([0,1])); ops.EuclideanNorm()(i,Tensor([0])); ops.EuclideanNorm(3); ops.EuclideanNorm()(x,Tensor([5])); ops.EuclideanNorm()(x,(0,)); ops.EuclideanNorm()(c,Tensor([1]));
ops.Expand()(x[0],Tensor([2,3])); ops.Expand()(x,Tensor([4,2,3])); ops.Expand()(x,Tensor([3,3])); ops.expand_as(x[0],x); ops.expand_as(x,x[0]); ops.expand_as(x,3); ops.FillDiagonal(9.)(s); ops.FillDiagonal(9.,True)(ops.ones((7,3),ms.float32)); ops.FillDiagonal(2.)(ops.ones((7,3),ms.float32)); ops.FillDiagonal(2.)(x); ops.FillDiagonal(2.)(ops.ones((3,3,3),ms.float32)); ops.FillDiagonal(2.)(x[0]); ops.FillDiagonal('a'); ops.FillDiagonal(2.)(i); ops.FillDiagonal(2.)(ops.ones((2,3,3),ms.float32)); ops.FillDiagonal(1.,3);
ops.FillV2()(Tensor([2,3],ms.int32),Tensor(5.)); ops.FillV2()(Tensor([2],ms.int32),Tensor(True)); ops.FillV2()((2,2),Tensor(1,ms.int32)); ops.FillV2()((2,2),3.); ops.FillV2()((-1,2),Tensor(1)); ops.Fills()(x,7.); ops.Fills()(x,Tensor(7.)); ops.Fills()(i,7); ops.Fills()(x,'a'); ops.fills(x,2.5); ops.fills(i,2.5); ops.fills(x,Tensor([1.,2.])); ops.fills(3,4);
ops.GatherV2()(x,Tensor([1,0]),0); ops.GatherV2()(x,Tensor([[2,0],[1,1]]),1); ops.GatherV2(1)(x,Tensor([[2,0],[1,1]]),1); ops.GatherV2()(x,Tensor([5]),0); ops.GatherV2()(x,Tensor([1.]),0); ops.GatherV2()(x,Tensor([1]),5); ops.GatherV2()(x,Tensor(1),-1);
ops.Ger()(x[0],y[1]); ops.Ger()(x,y); ops.Ger()(x[0],i[0]); ops.Ger()(h[0],h[1]); ops.Ger()(i[0],i[0]); slope(ops.Ger(),x[0],y[1],at=(0,1)); ops.Histogram(4)(x); ops.Histogram(bins=3,min=-1.,max=5.)(x); ops.Histogram(2)(i); ops.Histogram(0); ops.Histogram(2,3.,1.); ops.Histogram('a'); ops.Histogram(2)(h); ops.Histogram(3)(Tensor([2.,2.]));
ops.HistogramFixedWidth(5)(x,Tensor([0.,5.])); ops.HistogramFixedWidth(nbins=3)(i,Tensor([0,6],ms.int32)); ops.HistogramFixedWidth(0); ops.HistogramFixedWidth('a'); ops.HistogramFixedWidth(2)(x,Tensor([5.,0.])); ops.HistogramFixedWidth(2)(x,x[0]); ops.HistogramFixedWidth(2,'int64'); ops.HistogramFixedWidth(2)(h,Tensor([0.,5.],ms.float16));
ops.IdentityN()((x,i)); ops.IdentityN()([x]); ops.IdentityN()(x); ops.IndexFill()(x,1,Tensor([0,2],ms.int32),Tensor(5.)); ops.IndexFill()(x,Tensor(0,ms.int32),Tensor([1],ms.int32),5.); ops.IndexFill()(x,0,Tensor([7],ms.int32),Tensor(5.)); ops.IndexFill()(i,-1,Tensor([0],ms.int32),7); ops.IndexFill()(x,5,at,1.); ops.IndexFill()(x,0,x,1.);
put(ops.IndexAdd(0),at,y); put(ops.IndexAdd(axis=1),Tensor([0,2],ms.int32),y[:,:2]); put(ops.IndexAdd(0),Tensor([5],ms.int32),y[:1]); put(ops.IndexAdd(0),at,y[:1]); put(ops.IndexAdd('a'),at,y); put(ops.IndexAdd(-1,False,False),Tensor([0],ms.int32),y[:,:1]); ops.IndexAdd(0)(x,at,y); put(ops.IndexAdd(3),at,y); put(ops.IndexAdd(0),Tensor([1.]),y[:1]); put(ops.IndexAdd(0),at,i);
ops.InplaceAdd(0)(x,y[:1]); ops.InplaceAdd((0,1))(x,y); ops.InplaceAdd(indices=(0,))(x,y[:1]); ops.InplaceAdd((5,))(x,y[:1]); ops.InplaceAdd('a'); ops.InplaceAdd((0,1))(x,y[:1]); ops.InplaceSub((1,))(x,y[:1]); ops.InplaceSub(1)(x,y[:1]); ops.InplaceSub((1,0))(x,y); ops.InplaceSub((0,))(i,j[:1]); ops.InplaceAdd((0,))(x,i[:1]); ops.InplaceUpdateV2()(x,(0,),y[:1]); ops.InplaceUpdateV2()(x,(1,0),y); ops.InplaceUpdateV2()(x,(7,),y[:1]);
put(ops.InplaceIndexAdd(0),at,y); put(ops.InplaceIndexAdd(axis=1),Tensor([2,2],ms.int32),y[:,:2]); put(ops.InplaceIndexAdd(0),at,y[:1]); put(ops.InplaceIndexAdd('a'),at,y); put(ops.InplaceIndexAdd(0),Tensor([0],ms.int32),x[0]); 
ops.Lerp()(x,y,Tensor(.5)); ops.Lerp()(x,y,.25); ops.Lerp()(x,y,p); ops.Lerp()(x,i,.5); ops.LerpScalar()(x,y,.5); ops.Lerp()(x,Tensor([1.,2.]),.5); ops.Lerp()(i,i,.5); ops.Lerp()(h,h,.5); slope(ops.Lerp(),x,y,Tensor(.5),at=(0,1,2));
ops.MaskedScatter()(x,b,y); ops.MaskedScatter()(x,b[0],p); ops.MaskedScatter()(x,b,Tensor([1.])); ops.MaskedScatter()(x,i,y); ops.MaskedSelect()(x,b); ops.MaskedSelect()(x,b[0]); ops.MaskedSelect()(i,b); ops.MaskedSelect()(x,i); ops.MaskedSelect()(x,Tensor([True,False])); ops.MaskedSelect()(x[0],b); slope(lambda v: ops.MaskedSelect()(v,b),x);
ops.Median()(x); ops.Median(True)(x); ops.Median(False,1,True)(x); ops.Median(global_median=False,axis=-1,keep_dims=False)(i); ops.Median('a'); ops.Median(False,7)(x); ops.Median(False,0)(d); ops.Median(True,1,True); ops.Median(False,1,False,True)(n); ops.Median(False,1)(n);
ops.NonZero()(x); ops.NonZero()(b); ops.NonZero()(Tensor(1.)); ops.NonZero()(i); ops.NonZero()(c); ops.NonZero()('a'); ops.NthElement()(x,1); ops.NthElement(True)(x,Tensor(0,ms.int32)); ops.NthElement(reverse=True)(i,2); ops.NthElement()(x,7); ops.NthElement(3); ops.NthElement()(x,-1); ops.NthElement()(x,1.5);
ops.Ones()((2,3),ms.float32); ops.Ones()(3,ms.int32); ops.Ones()((2,),ms.bool_); ops.Ones()((-1,),ms.float32); ops.Ones()((2,),ms.float16); ops.Ones()('a',ms.float32); ops.Ones()((2,),ms.complex64); ops.OnesLike()(3); ops.Pack()((x,y)); ops.Pack(1)([x,y]); ops.Pack(axis=-1)((i,j)); ops.Pack(5)((x,y)); ops.Pack()((x,x[0])); ops.Unpack()(x); ops.Unpack(1)(x); ops.Unpack(axis=-1)(i); ops.Unpack(5)(x); ops.Unpack('a');
ops.PadV3()(x,Tensor([1,1]),Tensor(5.)); ops.PadV3()(x,[1,0,0,2],Tensor(5.)); ops.PadV3('reflect')(x[None],[1,1]); ops.PadV3('edge')(x[None],Tensor([1,2])); ops.PadV3('constant',False)(x,[1,2,3,4],Tensor(0.)); ops.PadV3('circular')(x[None],[1,1]); ops.PadV3('a'); ops.PadV3()(x,[1],Tensor(0.)); ops.PadV3('reflect')(x[None],[9,1]); ops.PadV3()(x,(1,1),0.); ops.PadV3()(x,[-1,0],Tensor(0.)); ops.PadV3()(i,[1,0],Tensor(3,ms.int32)); ops.PadV3()(x,[1,1]);
ops.ParallelConcat()((x[:1],y[:1])); ops.ParallelConcat()((x,y)); ops.ParallelConcat()((i[:1],)); ops.Quantile()(x,Tensor(.5)); ops.Quantile(1)(x,Tensor([.25,.75])); ops.Quantile(dim=0,keep_dims=True)(x,.3); ops.Quantile(5)(x,.5); ops.Quantile()(x,Tensor(1.5)); ops.Quantile(1,ignore_nan=True)(n,.5); ops.Quantile('a'); ops.Quantile(1)(i,.5); ops.Quantile(1)(d,Tensor([.5],ms.float64));
ops.RaggedRange(ms.int32)(Tensor([2,5,8],ms.int32),Tensor([3,5,12],ms.int32),Tensor([1,1,2],ms.int32)); ops.RaggedRange(Tsplits=ms.int64)(Tensor([0.,1.]),Tensor([1.,3.]),Tensor([.5,1.])); ops.RaggedRange(ms.int64)(Tensor([5]),Tensor([2]),Tensor([-1])); ops.RaggedRange('a'); ops.RaggedRange(ms.int32)(x,x,x);
ops.Range()(0,6,2); ops.Range()(Tensor(0),Tensor(5),Tensor(2)); ops.Range(3)(0,6,1); ops.Range()(0.,1.,.25); ops.Range()(5,0,-2); ops.Range()(0,5,-1); ops.Range()(0,5,0); ops.Range('a'); ops.Range(2)(0,6,1); ops.Range()(Tensor(0,ms.int32),Tensor(4,ms.int32),Tensor(1,ms.int32)); ops.Range()(1,2.5,1);
ops.ReduceMin()(x); ops.ReduceMin(True)(x,1); ops.ReduceMin()(x,(0,1)); ops.ReduceMin()(i,-1); ops.ReduceMin()(b,0); ops.ReduceMin()(x,5); ops.ReduceMin(3); ops.ReduceMin()(x,()); ops.ReduceMin()(h,0); ops.reduce_min(x); ops.reduce_min(x,1); ops.reduce_min(i,0); slope(ops.ReduceMin(),x); ops.ReduceStd()(x); ops.ReduceStd(1)(x); ops.ReduceStd(axis=(0,),unbiased=False,keep_dims=True)(x); ops.ReduceStd([])(x); ops.ReduceStd(5)(x); ops.ReduceStd('a'); ops.ReduceStd(1)(i); ops.ReduceStd(0)(h);
ops.ScalarCast()(2.7,ms.int64); ops.ScalarCast()(2,ms.float32); ops.ScalarCast()(True,ms.int32); ops.ScalarCast()(Tensor(1.),ms.int32); ops.ScalarToArray()(2); ops.ScalarToArray()(2.5); ops.ScalarToArray()(x); ops.ScalarToTensor()(2); ops.ScalarToTensor()(2.5,ms.int32); ops.ScalarToTensor()(True,ms.bool_); ops.ScalarToTensor()(x); ops.ScalarToTensor()(3,ms.float16); ops.SelectView()(x,1,0); ops.SelectView()(x,-1,1); ops.SelectView()(x,5,0);
ops.SearchSorted()(Tensor([1.,2.,3.]),Tensor([2.,.5])); ops.SearchSorted(ms.int32,True)(Tensor([1.,2.,3.]),Tensor([2.,.5])); ops.SearchSorted()(Tensor([[1,2,3],[2,4,6]]),Tensor([[2],[7]])); ops.SearchSorted('a'); ops.SearchSorted(dtype=ms.int64,right=3); ops.SearchSorted()(Tensor([[1.,2.]]),Tensor([2.,.5])); ops.SearchSorted()(Tensor([1,2,3]),Tensor([2.,.5]));
ops.SplitV([1,2],1,2)(x); ops.SplitV(size_splits=[1,-1],split_dim=1,num_split=2)(x); ops.SplitV([1,1],0,2)(i); ops.SplitV([1,1],1,2)(x); ops.SplitV([1,2],5,2)(x); ops.SplitV([1,2],1,3)(x); ops.SplitV('a',1,2); ops.TensorToTuple()(Tensor([1,2,3])); ops.TensorToTuple()(x); ops.TensorToTuple()(Tensor([True,False])); ops.TensorToTuple()(3); ops.Trace()(s); ops.Trace()(x); ops.Trace()(i); ops.Trace()(x[0]); ops.Trace()(b); ops.Trace()(h); slope(ops.Trace(),s);
ops.TransposeView()(x,(1,0)); ops.TransposeView()(x,(0,)); ops.TransposeExtView()(x,0,1); ops.TransposeExtView()(q,1,-1).shape; ops.TransposeExtView()(x,0,5); ops.TrilIndices(3,4)(); ops.TrilIndices(row=3,col=3,offset=-1,dtype=ms.int64)(); ops.TrilIndices('a',3); ops.TrilIndices(3,3,dtype=ms.float32); ops.TriuIndices(3,4)(); ops.TriuIndices(2,3,1,ms.int64)(); ops.TriuIndices(-1,3); ops.Triu()(s); ops.Triu(1)(x); ops.Triu(diagonal=-1)(i); ops.Triu('a'); ops.Triu()(x[0]); ops.Triu()(b); slope(ops.Triu(1),s); ops.TrilIndices(0,3)();
ops.Unique()(Tensor([3,1,2,1,3])); ops.Unique()(Tensor([2.,1.,2.])); ops.Unique()(x); ops.Unique()(Tensor([],ms.int32)); ops.Unique()(Tensor(3)); ops.UniqueConsecutive()(Tensor([1,1,2,3,3,1],ms.int32)); ops.UniqueConsecutive(True,True)(Tensor([1,1,2,1],ms.int32)); ops.UniqueConsecutive(True,True,0)(Tensor([[1,2],[1,2],[3,4]],ms.int32)); ops.UniqueConsecutive(dim=1)(Tensor([[1,1,2]],ms.int32)); ops.UniqueConsecutive('a'); ops.UniqueConsecutive(False,True)(x); ops.UniqueConsecutive(dim=5)(i); ops.UniqueConsecutive()('a');
ops.UniqueWithPad()(Tensor([1,1,5,4,5]),0); ops.UniqueWithPad()(Tensor([1,1,5],ms.int32),Tensor(7,ms.int32)); ops.UniqueWithPad()(Tensor([2.,1.,2.]),0.); ops.UniqueWithPad()(x,0); ops.UniqueWithPad()(Tensor([1,1,5]),'a'); ops.unique_with_pad(Tensor([1,1,5,4,5]),pad_num=0); ops.unique_with_pad(Tensor([3.,3.]),-1.); ops.unique_with_pad(3,0); ops.UnravelIndex()(Tensor([2,5]),Tensor([3,3])); ops.UnravelIndex()(Tensor(4),Tensor([2,3])); ops.UnravelIndex()(Tensor([9]),Tensor([2,3])); ops.UnravelIndex()(Tensor([1],ms.int32),Tensor([2,3],ms.int32)); ops.UnravelIndex()(x,x); ops.UnravelIndex()(Tensor([[1,2]]),Tensor([2,3]));
""",
    "scatter": "",
    "matrix": r"""
ops.Cdist()(x,y); ops.Cdist(1.)(x[None],y[None]); ops.Cdist(p=float('inf'))(x,y); ops.Cdist(0.)(x,y); ops.Cdist(-1.); ops.Cdist('a'); ops.Cdist(3)(x,y); ops.Cdist()(x,s[:,:2]); ops.Cdist()(i,j); slope(ops.Cdist(),x,y,at=(0,1)); ops.Pdist()(s); ops.Pdist(1.)(s); ops.Pdist(p=float('inf'))(s); ops.Pdist('a'); ops.Pdist(-1.); ops.Pdist()(x[0]); ops.Pdist(0.)(s); slope(ops.Pdist(),s);
ops.Cholesky()(s); ops.Cholesky(True)(s); ops.Cholesky()(x); ops.Cholesky()(-s); ops.Cholesky('a'); ops.Cholesky()(s.astype(ms.float64)[None]); ops.Cholesky()(i[:,:2]); ops.CholeskyInverse()(s); ops.CholeskyInverse(upper=True)(s); ops.CholeskyInverse()(x); ops.CholeskyInverse('a'); ops.CholeskyInverse()(h); ops.CholeskySolve()(x.T,s); ops.CholeskySolve(True)(x.T,s); ops.CholeskySolve()(x,s); ops.CholeskySolve('a'); ops.CholeskySolve()(x.T,x.T); ops.cholesky_inverse(s); ops.cholesky_inverse(s,upper=True); ops.cholesky_inverse(x); ops.cholesky_inverse(s.astype(ms.float64)); ops.cholesky_solve(x.T,s); ops.cholesky_solve(x.T,s,True); ops.cholesky_solve(s[None],s[None]); ops.cholesky_solve(x,s);
ops.Eig()(Tensor([[2.,0.],[0.,3.]])); ops.Eig(True)(Tensor([[2.,0.],[0.,3.]])); ops.Eig(3); ops.Eig()(x); ops.Eig()(s)[0].dtype; ops.Einsum("ij,kj->ik")((x,y)); ops.Einsum("ij->ji")((x,)); ops.Einsum(equation="ii->i")((s,)); ops.Einsum("a->b")((x,)); ops.Einsum(3); ops.Einsum("ij,jk->ik")((x,y)); ops.Einsum("...ij->...")((x,));
ops.Geqrf()(s); ops.Geqrf()(x); ops.Geqrf()(i); ops.Geqrf()(x[0]); ops.Orgqr()(*ops.Geqrf()(s)); ops.Orgqr()(s,x); ops.Orgqr()(x.T,x[0,:2]); ops.Ormqr()(*ops.Geqrf()(s),s); ops.Ormqr(True,True)(*ops.Geqrf()(s),x.T); ops.Ormqr(left=False)(*ops.Geqrf()(s),x); ops.Ormqr('a'); ops.Ormqr()(*ops.Geqrf()(s),x);
ops.LogMatrixDeterminant()(s); ops.LogMatrixDeterminant()(s[None]*-1); ops.LogMatrixDeterminant()(x); ops.LogMatrixDeterminant()(i); ops.LogMatrixDeterminant()(s*0); ops.MatrixDeterminant()(s); ops.MatrixDeterminant()(s[None]); ops.MatrixDeterminant()(x); ops.MatrixDeterminant()(s.astype(ms.float64)); ops.MatrixDeterminant()(h); slope(ops.MatrixDeterminant(),s); slope(lambda v: ops.LogMatrixDeterminant()(v)[1],s);
ops.Lstsq()(s,x.T); ops.Lstsq(False)(s,x.T); ops.Lstsq(3); ops.Lstsq()(x,x); ops.Lstsq()(x.T,Tensor([[1.],[2.],[3.]])); ops.Lstsq(l2_regularizer='a'); ops.LuSolve()(x.T,s,Tensor([1,2,3],ms.int32)); ops.LuSolve()(x.T,s,Tensor([3,3,3],ms.int32)); ops.LuSolve()(x,s,Tensor([1,2,3],ms.int32)); ops.LuUnpack()(s,Tensor([2,2,3],ms.int32)); ops.LuUnpack(True,False)(s,Tensor([3,3,3],ms.int32)); ops.LuUnpack(unpack_data=False)(s,Tensor([3,2,3],ms.int32)); ops.LuUnpack('a'); ops.LuUnpack()(x,Tensor([1,2],ms.int32)); ops.LuUnpack()(s,x);
ops.MatrixBandPart()(s,1,0); ops.MatrixBandPart()(s,Tensor(-1),Tensor(1)); ops.MatrixBandPart()(x,0,-1); ops.MatrixBandPart()(x[0],1,1); ops.MatrixBandPart()(i,0,0); ops.MatrixBandPart()(s,9,0); ops.MatrixBandPart()(s,1.,0); slope(ops.MatrixBandPart(),s,1,0);
ops.MatrixDiagV3()(x,Tensor(0,ms.int32),Tensor(-1,ms.int32),Tensor(-1,ms.int32),Tensor(0.)); ops.MatrixDiagV3('LEFT_RIGHT')(s,Tensor([-1,1],ms.int32),Tensor(3,ms.int32),Tensor(3,ms.int32),Tensor(9.)); ops.MatrixDiagV3('a'); ops.MatrixDiagV3(align='RIGHT_LEFT')(x[0],Tensor(1,ms.int32),Tensor(4,ms.int32),Tensor(4,ms.int32),Tensor(7.)); ops.MatrixDiagV3()(x,Tensor([1,0],ms.int32),Tensor(3,ms.int32),Tensor(3,ms.int32),Tensor(0.));
ops.MatrixDiagPartV3()(x,Tensor(0,ms.int32),Tensor(0.)); ops.MatrixDiagPartV3('LEFT_LEFT')(x,Tensor([0,2],ms.int32),Tensor(9.)); ops.MatrixDiagPartV3(align='RIGHT_RIGHT')(s,Tensor([-1,1],ms.int32),Tensor(9.)); ops.MatrixDiagPartV3('a'); ops.MatrixDiagPartV3()(x,Tensor(9,ms.int32),Tensor(0.)); ops.MatrixDiagPartV3()(x[0],Tensor(0,ms.int32),Tensor(0.));
ops.MatrixSetDiagV3()(s,x[0],Tensor(0,ms.int32)); ops.MatrixSetDiagV3('LEFT_RIGHT')(s,s,Tensor([-1,1],ms.int32)); ops.MatrixSetDiagV3()(x,x[0,:2],Tensor(1,ms.int32)); ops.MatrixSetDiagV3('a'); ops.MatrixSetDiagV3()(s,x,Tensor(0,ms.int32));
ops.MatrixExp()(s); ops.MatrixExp()(x[:,:2]/9); ops.MatrixExp()(x); ops.MatrixExp()(i[:,:2]); ops.MatrixExp()(s.astype(ms.float64)); ops.matrix_exp(s[None]); ops.matrix_exp(x); ops.matrix_exp(x[:,:2]/9); ops.matrix_exp(h); ops.MatrixInverse()(s); ops.MatrixInverse(True)(x[:,:2]); ops.MatrixInverse()(x); ops.MatrixInverse('a'); ops.MatrixInverse()(s*0); ops.MatrixInverse()(s.astype(ms.float64)[None]); ops.MatrixInverse()(i[:,:2]); slope(ops.MatrixInverse(),s);
ops.MatrixLogarithm()(Tensor([[1+2j,2],[3,4-1j]],ms.complex64)); ops.MatrixLogarithm()(s); ops.MatrixPower(2)(s); ops.MatrixPower(n=0)(s); ops.MatrixPower(-1)(s); ops.MatrixPower(3)(x); ops.MatrixPower('a'); ops.MatrixPower(2)(i[:,:2]); ops.MatrixPower(2)(h); ops.MatrixSolve()(s,x.T); ops.MatrixSolve(True)(x[:,:2],y); ops.MatrixSolve()(x,y); ops.MatrixSolve('a'); ops.MatrixSolve()(s*0,s); ops.MatrixSolve()(s,x); ops.matrix_solve(s,x.T); ops.matrix_solve(s[None],s[None]); ops.matrix_solve(s,x); ops.matrix_solve(s,3); slope(ops.MatrixSolve(),s,x.T);
ops.MatrixSolveLs()(s,x.T,Tensor(0.,ms.float64)); ops.MatrixSolveLs(False)(x.T,Tensor([[1.],[2.],[3.]]),Tensor(.5,ms.float64)); ops.MatrixSolveLs()(x,y,Tensor(0.,ms.float64)); ops.MatrixSolveLs(3); ops.MatrixTriangularSolve()(s,x.T); ops.MatrixTriangularSolve(False)(s,x.T); ops.MatrixTriangularSolve(True,True)(s,x.T); ops.MatrixTriangularSolve(lower=False,adjoint=True)(s,s); ops.MatrixTriangularSolve()(s,x); ops.MatrixTriangularSolve('a'); ops.MatrixTriangularSolve()(x,y);
ops.Mvlgamma(2)(p+2); ops.Mvlgamma(p=1)(p); ops.Mvlgamma(3)(y); ops.Mvlgamma('a'); ops.Mvlgamma(0); ops.Mvlgamma(2)(i); ops.NuclearNorm()(s); ops.NuclearNorm(keepdim=True)(x); ops.NuclearNorm(dim=[1,0])(x); ops.NuclearNorm('a'); ops.NuclearNorm()(x[0]); ops.Svd()(x)[0]; ops.Svd(compute_uv=False)(x)[0]; ops.Svd(True,False)(s)[0]; ops.Svd('a'); ops.Svd()(x[0]); ops.Svd()(i); ops.Qr()(s)[1].shape; ops.Qr(True)(x.T)[0].shape; ops.Qr('a'); ops.Qr()(x[0]);
ops.TridiagonalMatMul()(Tensor([1.,2.,3.]),Tensor([2.,3.,4.]),Tensor([5.,6.,7.]),s); ops.TridiagonalMatMul()(x[0],x[0],x[0],x); ops.TridiagonalMatMul()(i[0],i[0],i[0],i); ops.matrix_norm(s); ops.matrix_norm(x,'nuc'); ops.matrix_norm(x,2); ops.matrix_norm(x,1,(0,1),True); ops.matrix_norm(x,float('inf'),axis=(1,0)); ops.matrix_norm(x,-1,dtype=ms.float64); ops.matrix_norm(x,3); ops.matrix_norm(x[0]); ops.matrix_norm(i); ops.matrix_norm(x,'fro',(0,0)); ops.matrix_norm(x,-2); ops.matrix_norm(q,'fro',(1,2));
ops.mvlgamma(p+2,2); ops.mvlgamma(p,p=1); ops.mvlgamma(y,3); ops.mvlgamma(i,2); ops.mvlgamma(p,'a'); ops.addr(s,x[0],y[0]); ops.addr(s,x[0],y[0],beta=.5,alpha=2); ops.addr(x,x[0],y[0]); ops.addr(x,x[0,:2],y[0]); ops.addr(i[:,:2],i[0,:2],i[0,:2]); ops.addr(s,x,y); slope(ops.addr,s,x[0],y[0],at=(0,1,2)); ops.diagflat(x[0]); ops.diagflat(x,1); ops.diagflat(i[0],offset=-1); ops.diagflat(3); ops.diagflat(x,'a'); ops.diagflat(b[0]);
""",
    "function": r"""
ops.amin(x); ops.amin(x,1); ops.amin(x,axis=(0,1),keepdims=True); ops.amin(i,0); ops.amin(x,1,initial=-9.); ops.amin(x,1,initial=0.,where=b); ops.amin(x,5); ops.amin(b); ops.amin('a'); ops.atleast_1d(Tensor(1.)); ops.atleast_1d([Tensor(1.),x]); ops.atleast_3d(x); ops.atleast_3d((x[0],Tensor(1))); ops.atleast_3d(q).shape; ops.atleast_1d(3); ops.atleast_3d('a'); ops.flipud(x); ops.flipud(i); ops.flipud(Tensor(1.)); ops.flipud('a');
ops.bessel_i0(y); ops.bessel_i0e(p); ops.bessel_i1(x); ops.bessel_i1e(d); ops.bessel_i0(h); ops.bessel_i1(i); ops.bessel_i0('a'); ops.i0(y); ops.i0(p*3); ops.i0(d); ops.i0(i); ops.igamma(p,p+1); ops.igamma(p,Tensor([.5,1.,2.])); ops.igammac(p,p+1); ops.igammac(y,p); ops.igamma(d,d); ops.igamma(i,i); ops.igammac(p,'a'); ops.igammac(p,Tensor([1.,2.])); ops.igamma(h,h); ops.polygamma(1,p); ops.polygamma(Tensor(2),p); ops.polygamma(0,p); ops.polygamma(n=3,input=p); ops.polygamma(-1,p); ops.polygamma(1,i); ops.polygamma(1.5,p); ops.zeta(p,p+1); ops.zeta(p,2.); ops.zeta(3.,p); ops.zeta(2.,3.); ops.zeta(d+2,d+3); ops.zeta(i,i); ops.xdivy(x,p); ops.xdivy(Tensor([0.,1.]),Tensor([0.,0.])); ops.xdivy(x,2); ops.xdivy(2.,x); ops.xdivy(i,j); ops.xdivy(b,x); ops.xdivy(x,i); ops.xdivy(x,'a'); slope(ops.xdivy,x,p,at=(0,1)); slope(ops.i0,y); slope(ops.bessel_i1e,p);
ops.imag(c); ops.imag(x); ops.imag(i); ops.imag('a'); ops.dsplit(q,2); ops.dsplit(q,[1,3]); ops.dsplit(x,2); ops.dsplit(q,3); ops.dsplit(q,'a'); ops.swapdims(x,0,1); ops.swapdims(q,-1,1).shape; ops.swapdims(x,0,5); ops.swapdims(x,'a',1); ops.is_nonzero(Tensor([5.])); ops.is_nonzero(Tensor(0)); ops.is_nonzero(x); ops.is_nonzero(Tensor(False)); ops.is_nonzero(3); ops.true_divide(x,p); ops.true_divide(i,j); ops.true_divide(i,2); ops.true_divide(3,x); ops.true_divide(b,b); ops.true_divide(x,'a'); ops.view_as(x,p.reshape(3,2)); ops.view_as(x,x[0]); ops.view_as(x,3); ops.deepcopy(x); ops.deepcopy(3); ops.eps(x); ops.eps(h); ops.eps(d); ops.eps(3); ops.eps(i);
ops.logspace(Tensor(1.),Tensor(3.),3); ops.logspace(Tensor(0,ms.int32),3,4,2); ops.logspace(1.,10,3,dtype=ms.float64); ops.logspace(1,3,0); ops.logspace(0,1,-1); ops.logspace('a',1,2); ops.logspace(0.,2.,5,-2); ops.logspace(0,4,5,2,dtype=ms.int32); ops.nanquantile(n,.5); ops.nanquantile(Tensor([[1.,np.nan,3.],[4.,5.,6.]]),Tensor([.25,.5]),1); ops.nanquantile(x,.5,axis=0,keepdims=True); ops.nanquantile(i,.5); ops.nanquantile(x,2.); ops.nanquantile(x,.5,7); ops.top_k(x,2); ops.top_k(x,k=1,sorted=False); ops.top_k(i,2); ops.top_k(x,9); ops.top_k(x,'a'); ops.top_k(x,0);
ops.bernoulli_(x.copy(),1.); ops.bernoulli_(x.copy(),0.); ops.bernoulli_(x.copy(),p=y.abs()).shape; ops.normal_(x.copy(),2.,0.); ops.normal_(x.copy()).dtype; ops.uniform_(x.copy(),3.,3.); ops.uniform_(x.copy(),0,1).shape; ops.random_(x.copy(),2,3); ops.random_(i.copy(),5).dtype; ops.exponential_(x.copy()).shape; ops.exponential_(x.copy(),2.)>=0; ops.erfinv_(y.copy()); ops.tanh_(y.copy()); ops.inplace_sigmoid(y.copy()); ops.zero_(x.copy()); ops.put_(x.copy(),Tensor([0,4]),Tensor([7.,8.])); ops.put_(x.copy(),Tensor([1,1]),Tensor([7.,8.]),True); ops.put_(x.copy(),Tensor([9]),Tensor([7.])); ops.erfinv_(i.copy()); ops.tanh_(i.copy()); ops.zero_(i.copy()); ops.exponential_(x.copy(),-1.); ops.uniform_(x.copy(),3.,1.); ops.put_(x.copy(),Tensor([-1]),Tensor([7.]));
ops.move_to(x,'CPU'); ops.MoveTo()(x,'CPU',True); ops.move_to(x,'a'); ops.multinomial_with_replacement(Tensor([.1,.9]),2,3,4).shape; ops.multinomial_with_replacement(Tensor([[.0,.9],[.1,0.]]),2,3,4,True); ops.MultinomialWithReplacement(3,True)(Tensor([[0.,1.]]),2,5); ops.MultinomialWithReplacement('a'); ops.multinomial_with_replacement(x,2,3,4); ops.multinomial_with_replacement(Tensor([.1,.9]),2,3,4,False);
ops.Cauchy((2,3))().shape; ops.Cauchy(size=[4],median=.5,sigma=2.)().dtype; ops.Cauchy('a'); ops.Cauchy([2],sigma=0.); ops.LogNormalReverse()(x).shape; ops.LogNormalReverse(0.,1.)(x).dtype; ops.LogNormalReverse('a'); ops.NonDeterministicInts()(Tensor([2,3])).shape; ops.NonDeterministicInts(ms.int32)((3,)).dtype; ops.NonDeterministicInts(ms.float32); ops.RandomGamma(1)(Tensor([2,3],ms.int32),Tensor([1.,2.])).shape; ops.RandomGamma('a'); ops.RandomGamma()(Tensor([2],ms.int32),d[0].abs()).dtype; ops.RandomPoisson()(Tensor([2,3],ms.int32),Tensor([1.,2.])).shape; ops.RandomPoisson(1,2,ms.float32)(Tensor([2],ms.int32),Tensor(5.)).dtype; ops.RandomPoisson('a'); ops.RandomPoisson()(Tensor([3],ms.int32),Tensor(0.)); ops.ParameterizedTruncatedNormal()(Tensor([4,2],ms.int32),Tensor(0.),Tensor(1.),Tensor(-2.),Tensor(2.)).shape; ops.ParameterizedTruncatedNormal(1,2)(Tensor([4],ms.int32),Tensor(0.),Tensor(1.),Tensor(-2.),Tensor(2.)).abs()<=2; ops.ParameterizedTruncatedNormal('a'); ops.RandomChoiceWithMask(3)(b)[1]; ops.RandomChoiceWithMask(9)(b)[0].shape; ops.RandomChoiceWithMask('a'); ops.RandomChoiceWithMask(2)(x); ops.RandomChoiceWithMask(count=2,seed=1)(b)[1].dtype; ops.RandomChoiceWithMask(9)(b)[1];
ops.BartlettWindow()(Tensor(5)); ops.BartlettWindow(False,ms.float64)(Tensor(4)); ops.BartlettWindow('a'); ops.BartlettWindow()(Tensor(5.)); ops.BlackmanWindow()(Tensor(6)); ops.BlackmanWindow(periodic=False,dtype=ms.float16)(Tensor(6)); ops.BlackmanWindow()(Tensor(-1)); ops.BlackmanWindow(True,ms.int32); ops.HammingWindow()(Tensor([6])); ops.HammingWindow(False,.5,.5,ms.float64)(Tensor([5])); ops.HammingWindow('a'); ops.HammingWindow()(Tensor([-6])); ops.HammingWindow()(Tensor([0]));
ops.DtypeToEnum()(ms.float32); ops.UpdateState()(ops.Depend()(x,x),x); ops.StopGradient()(3); ops.Partial()(lambda v,w: v+w,x)(y); ops.Morph(lambda v: v, lambda a: a, lambda t: t); ops.TensorSummary()('t',x); ops.ImageSummary()('t',q[:,:3]); ops.HistogramSummary()('t',x); ops.TensorSummary()(3,x); ops.ImageSummary()('t',x); ops.MapUniform()(Tensor([1,5,3],ms.int32),2,3); ops.MapUniform()(Tensor([[0,7]],ms.int64),Tensor(4),Tensor(2));
""",
    "compiler": r"""
ops.scalar_add(1,2); ops.scalar_add(1,2.5); ops.scalar_add(x,y); ops.scalar_sub(5,2); ops.scalar_mul(2,.5); ops.scalar_div(3,2); ops.scalar_div(3,0); ops.scalar_floordiv(7,2); ops.scalar_floordiv(7,0); ops.scalar_mod(7,3); ops.scalar_mod(-7,3); ops.scalar_mod(7,0); ops.scalar_pow(2,3); ops.scalar_pow(2.,-1); ops.scalar_log(2.); ops.scalar_uadd(3); ops.scalar_usub(3.5); ops.scalar_max(1,2); ops.scalar_min(1,2); ops.scalar_eq(1,1); ops.scalar_ne(1,1); ops.scalar_lt(1,2); ops.scalar_le(2,2); ops.scalar_gt(1,2); ops.scalar_ge(2,2.); ops.scalar_add('a',1);
ops.bool_and(True,False); ops.bool_or(True,False); ops.bool_not(True); ops.bool_eq(True,True); ops.string_eq('a','a'); ops.string_concat('a','b'); ops.make_tuple(1,x); ops.make_list(1,2); ops.make_dict(('a','b'),(1,2)); ops.make_range(3); ops.make_range(1,4,2); ops.make_range(1.5); ops.make_range(1,4,0); ops.make_slice(1,2,3); ops.tuple_getitem((1,2),1); ops.tuple_getitem((1,2),5); ops.tuple_len((1,2)); ops.tuple_setitem((1,2),0,9); ops.tuple_reversed((1,2,3)); ops.tuple_equal((1,2),(1,2)); ops.tuple_div((4,6),(2,3)); ops.list_getitem([1,2],0); ops.list_setitem([1,2],0,9); ops.list_len([1]); ops.list_equal([1],[2]); ops.dict_getitem({'a':1},'a'); ops.dict_setitem({'a':1},'b',2); ops.in_dict('a',{'a':1}); ops.not_in_dict('a',{'a':1}); ops.is_(x,x); ops.is_not(x,y); ops.isconstant(3); ops.typeof(x); ops.typeof(3); ops.shape_mul((2,3)); ops.shape_mul(3); ops.reduced_shape((2,3),(1,)); ops.reduced_shape((2,3),()); ops.reduced_shape((2,3),(5,)); ops.broadcast_gradient_args((2,3),(3,)); ops.broadcast_gradient_args((2,1),(1,3)); ops.broadcast_gradient_args((2,),(3,)); ops.SliceGetItem(slice(1,2,3),'start'); ops.SliceGetItem(slice(1,2,3),'a');
ops.augassign_add(x,y); ops.augassign_add(1,2); ops.augassign_sub(x,1); ops.augassign_mul(2,x); ops.augassign_div(x,2); ops.augassign_floordiv(x,2); ops.augassign_floordiv(7,2); ops.augassign_mod(7,4); ops.augassign_mod(x,2); ops.augassign_sub('a',1); ops.augassign_div(3,2); ops.augassign_add((1,),(2,)); ops.hyper_add((x,1),(y,2)); ops.hyper_add([1,2],[3,4]); ops.hyper_add(x,y);
ops.vm_impl_registry; ops.prim_attr_register(lambda self,a=1: None).__name__; ops.prim_arg_register(lambda self,a=1: None).__name__; ops.constexpr(len)((1,2)); ops.constexpr(get_instance=False); ops.add_flags(len); ops.PrimitiveWithCheck('mine').name; ops.PrimitiveWithInfer('mine').name; repr(ops.Primitive('mine')); ops.Primitive('mine').set_stage(2).stage; ops.Primitive('mine').set_prim_instance_name('n').instance_name; ops.Primitive('mine').add_prim_attr('a',1).del_prim_attr('a').attrs; ops.Primitive('mine').del_prim_attr('zz').attrs; ops.Primitive('mine').init_prim_io_names(['a'],['b']); ops.Primitive('mine').update_parameter; ops.ScatterAdd().update_parameter; ops.Abs().update_parameter; ops.Primitive('mine').check_elim(x); ops.Primitive('mine').check_elim(3); ops.Abs().check_elim(x); ops.Primitive(3); ops.Primitive('mine').set_stage('a'); ops.Primitive('mine')(x); ops.PrimitiveWithInfer('mine')(x); ops.Primitive('mine').set_prim_instance_name(3).instance_name; ops.Assign().update_parameter; ops.AssignSub().update_parameter; ops.ApplyMomentum().update_parameter; ops.ReLU().update_parameter; ops.Digamma()(Tensor([-0.,0.,-1.])); ops.Exp()(d); ops.ReLU6()(d); ops.NanToNum()(d); ops.Abs()(Tensor([],ms.float32)); ops.Conj()(Tensor([],ms.float32)); ops.FloorDiv()(d,d); ops.TruncateMod()(l,l); ops.Heaviside()(u,u); ops.Gcd()(i,3); ops.Angle()(-.25); ops.Sigmoid()(Tensor(.5)); ops.Equal()(2.5,p); ops.Less()(2.5,p); ops.Maximum()(2.5,p); ops.Abs()(2); ops.Reusing()(2); ops.IsClose()(l,i); ops.Maximum()(x,x[0]); ops.Polar()(x,x[0]); ops.Zeta()(x,x[0]); ops.ApproximateEqual()(x,x[0]); ops.LogicalNot()(2);
""",
}

_WAYS = ("Update", "Add", "Sub", "Mul", "Div", "Max", "Min")
TOPICS["scatter"] = "\n".join(
    [
        f"put(ops.Scatter{way}(),at,y); put(ops.Scatter{way}(use_locking=True),Tensor([[0],[0]],ms.int32),y[:,None]); "
        f"put(ops.Scatter{way}(),at,j,v=i); put(ops.Scatter{way}(),Tensor([5,0],ms.int32),y); "
        f"put(ops.Scatter{way}(),at,y[:1]); put(ops.Scatter{way}(),Tensor([1.,0.]),y); ops.Scatter{way}()(x,at,y); "
        f"put(ops.Scatter{way}(),at,i); ops.Scatter{way}('a'); put(ops.scatter_{way.lower()},at,y); "
        f"put(ops.scatter_{way.lower()},at,j,v=i); put(ops.scatter_{way.lower()},at,x[0])"
        for way in _WAYS
    ]
    + [
        f"put(ops.ScatterNd{way}(),rows,y); put(ops.ScatterNd{way}(True),spots,y.reshape(-1)[:3]); "
        f"put(ops.ScatterNd{way}(),spots,j.reshape(-1)[:3],v=i); put(ops.ScatterNd{way}(),Tensor([[5]],ms.int32),y[:1]); "
        f"put(ops.ScatterNd{way}(),rows,y[:1]); put(ops.ScatterNd{way}(),x,y); ops.ScatterNd{way}('a'); "
        f"put(ops.scatter_nd_{way.lower()},rows,y); put(ops.scatter_nd_{way.lower()},spots,y)"
        for way in _WAYS
    ]
    + [
        f"ops.TensorScatter{way}()(x,rows,y); ops.TensorScatter{way}()(x,spots,y.reshape(-1)[:3]); "
        f"ops.TensorScatter{way}()(i,spots,j.reshape(-1)[:3]); ops.TensorScatter{way}()(x,Tensor([[5]],ms.int32),y[:1]); "
        f"ops.TensorScatter{way}()(x,rows,y[:1]); ops.TensorScatter{way}()(x,x,y); ops.TensorScatter{way}()(x,rows,i); "
        f"slope(ops.TensorScatter{way}(),p,rows,p+y,at=(0,2)); ops.TensorScatter{way}()(h,rows,h); "
        for way in _WAYS
    ]
    + [
        f"ops.UnsortedSegment{way}()(x,at,2); ops.UnsortedSegment{way}()(x,Tensor([0,0]),Tensor(3)); "
        f"ops.UnsortedSegment{way}()(i,at,3); ops.UnsortedSegment{way}()(x,Tensor([-1,0],ms.int32),2); "
        f"ops.UnsortedSegment{way}()(x,at,0); ops.UnsortedSegment{way}()(x,i,4); ops.UnsortedSegment{way}()(x,Tensor([0,1,1]),2); "
        f"slope(lambda v: ops.UnsortedSegment{way}()(v,at,2),x); ops.UnsortedSegment{way}()(x,Tensor([9,0],ms.int32),2)"
        for way in ("Sum", "Max", "Min", "Prod")
    ]
    + [
        r"""
ops.TensorScatterElements()(x,Tensor([[0,1,0]]),y[:1]); ops.TensorScatterElements(1,'add')(x,Tensor([[0,0],[2,1]]),y[:,:2]); ops.TensorScatterElements(axis=-1,reduction='none')(x,Tensor([[2],[0]]),y[:,:1]); ops.TensorScatterElements(0,'mul')(x,Tensor([[0,1,0]]),y[:1]); ops.TensorScatterElements('a'); ops.TensorScatterElements(0,'a'); ops.TensorScatterElements(5)(x,Tensor([[0,1,0]]),y[:1]); ops.TensorScatterElements()(x,Tensor([[9,1,0]]),y[:1]); ops.TensorScatterElements()(x,Tensor([[0,1]]),y[:1]); ops.TensorScatterElements()(x,x,y); slope(lambda v,w: ops.TensorScatterElements(1,'add')(v,Tensor([[0,0],[2,1]]),w),x,y[:,:2],at=(0,1));
ops.tensor_scatter_div(x,rows,p); ops.tensor_scatter_div(i,spots,Tensor([2,2,3],ms.int32)); ops.tensor_scatter_min(x,rows,y); ops.tensor_scatter_min(x,spots,Tensor([-9.,9.,-8.])); ops.tensor_scatter_min(x,rows,y[:1]); ops.tensor_scatter_div(x,Tensor([[7]]),p[:1]); ops.unsorted_segment_min(x,at,2); ops.unsorted_segment_min(x,Tensor([0,0]),2); ops.unsorted_segment_min(x,at,'a'); ops.unsorted_segment_prod(x,at,2); ops.unsorted_segment_prod(i,Tensor([0,0]),2); ops.unsorted_segment_prod(x,at,-1); put(ops.ScatterNonAliasingAdd(),rows,y); ops.ScatterNonAliasingAdd()(x,rows,y)"""
    ]
)

TOPICS["update"] = r"""
after(ops.ApplyCenteredRMSProp(),4,g,Tensor(.01,ms.float32),.9,.1,.01); after(ops.ApplyCenteredRMSProp(True),4,g,.01,.9,.1,.01); ops.ApplyCenteredRMSProp('a'); after(ops.ApplyCenteredRMSProp(),4,row,.01,.9,.1,.01);
after(ops.ApplyKerasMomentum(),2,Tensor(.1,ms.float32),g,Tensor(.9,ms.float32)); after(ops.ApplyKerasMomentum(True,True),2,Tensor(.1,ms.float32),g,Tensor(.9,ms.float32)); ops.ApplyKerasMomentum('a'); ops.ApplyKerasMomentum(use_nesterov=3); after(ops.ApplyKerasMomentum(),2,.1,g,.9);
after(ops.ApplyAdamWithAmsgrad(),4,Tensor(.9,ms.float32),Tensor(.999,ms.float32),Tensor(.01,ms.float32),g); after(ops.ApplyAdamWithAmsgrad(.8,.95,1e-6),4,.9,.999,.01,g); ops.ApplyAdamWithAmsgrad('a');
after(ops.AdamNoUpdateParam(),2,*rates,g,first=1); after(ops.AdamNoUpdateParam(use_nesterov=True),2,*rates,g,first=1); ops.AdamNoUpdateParam('a');
after(ops.FusedSparseProximalAdagrad(),2,Tensor(.01,ms.float32),Tensor(.1,ms.float32),Tensor(.2,ms.float32),g,at); after(ops.FusedSparseProximalAdagrad(True),2,Tensor(.01,ms.float32),Tensor(.1,ms.float32),Tensor(.2,ms.float32),g,Tensor([1,1],ms.int32)); ops.FusedSparseProximalAdagrad('a');
after(ops.FusedWeightScaleApplyMomentum(),2,Tensor(.1,ms.float32),g,Tensor(.9,ms.float32),before=(Tensor(.01,ms.float32),Tensor(2.,ms.float32)));
after(ops.FusedCastAdamWeightDecay(),3,.001,.9,.999,1e-8,.1,g.astype(ms.float16),Tensor(1.,ms.float32));
ops.LARSUpdate()(Tensor(V),g,Tensor(.5),Tensor(.25),Tensor(.1),Tensor(.01)); ops.LARSUpdate(1e-3,.01,True)(Tensor(V),g,Tensor(.5),Tensor(.25),Tensor(.1),Tensor(.01)); ops.LARSUpdate('a'); ops.LARSUpdate(use_clip=3);
after(ops.SparseApplyAdadelta(1e-6),3,.01,.9,row,one); after(ops.SparseApplyAdadelta(epsilon=1e-6),3,.01,.9,g,at); ops.SparseApplyAdadelta('a'); ops.SparseApplyAdadelta(-1.);
after(ops.SparseApplyAdagrad(.01),2,row,one); after(ops.SparseApplyAdagrad(lr=.01,update_slots=False),2,g,at); ops.SparseApplyAdagrad('a'); after(ops.SparseApplyAdagrad(.01),2,g,one);
after(ops.SparseApplyFtrlV2(.01,.1,.2,.3,-.5),3,row,one); after(ops.SparseApplyFtrlV2(.01,0.,0.,.1,-.5,True),3,g,at); ops.SparseApplyFtrlV2('a',0.,0.,.1,-.5); ops.SparseApplyFtrlV2(.01,-1.,0.,.1,-.5);
after(ops.SparseApplyProximalAdagrad(),2,.01,.1,.2,row,one); after(ops.SparseApplyProximalAdagrad(True),2,Tensor(.01),Tensor(.1),Tensor(.2),g,at); ops.SparseApplyProximalAdagrad('a');
after(ops.SparseApplyRMSProp(.9,.1,.01),3,Tensor(.01),row,one); after(ops.SparseApplyRMSProp(decay=.5,momentum=0.,epsilon=1e-3),3,.01,g,at); ops.SparseApplyRMSProp('a',.1,.01); ops.SparseApplyRMSProp(.9,-1.,.01); ops.SparseApplyRMSProp(2.,.1,.01);
after(ops.FusedAdaFactor(),5,before=EPS,middle=g); after(ops.FusedAdaFactor(True,True,True),5,before=EPS,middle=g); ops.FusedAdaFactor('a'); after(ops.FusedAdaFactorWithGlobalNorm(),5,Tensor(2.,ms.float32),before=EPS,middle=g); after(ops.FusedAdaFactorWithGlobalNorm(True),5,Tensor(.5,ms.float32),before=EPS,middle=g); ops.FusedAdaFactorWithGlobalNorm('a')
"""
UPDATE_SETUP = """
V = np.array([[.6, .4], [.1, .5]], np.float32); M = np.array([[.6, .5], [.2, .6]], np.float32)
A = np.array([[.9, .1], [.7, .8]], np.float32); B = np.array([[1., .3], [.9, 1.2]], np.float32)
R = np.array([.3, .4], np.float32)
g = Tensor(np.array([[.3, -.7], [.1, .8]], np.float32))
row = Tensor(np.array([[.3, -.7]], np.float32)); one = Tensor(np.array([1], np.int32))
rates = [Tensor(np.array([v], np.float32)) for v in (.9, .999, .001, .9, .999, 1e-8)]
EPS = [Tensor(np.array([1e-30, 1e-3], np.float32))] + [Tensor(v, ms.float32) for v in (1., .9, .8, .01, .03)]
def after(primitive, count, *args, first=0, before=(), middle=None):
    values = (V, A, R, R + .1, B) if middle is not None else (V, M, A, B)[first:first + count]
    states = [Parameter(Tensor(v.copy()), name=f"s{i}") for i, v in enumerate(values)]
    out = primitive(*before, *(() if middle is None else (middle,)), *states, *args)
    states = tuple([Tensor(s.asnumpy().copy()) for s in states])
    return (out, *states) if first else states  # what MindSpore's kernels in place return is memory nobody wrote
"""
SETUP += UPDATE_SETUP
TOPICS = {**{topic: ";".join(found) for topic, found in CROSSED.items()}, **TOPICS}


def samples(topic: str) -> list[str]:
    """The expressions of a topic, each once."""
    found = [e.strip() for line in TOPICS[topic].splitlines() for e in line.split(";")]
    return list(dict.fromkeys(e for e in found if e))
