"""Generated and gradient primitives answer as MindSpore did, compiled code as PYNATIVE; the rest has other witnesses.

Where MindSpore's CPU backend has no kernel, the primitive is compared with the public function it is made of, with
differentiation of the forward operation, or with NumPy. `DIFFERENT` and `WIDER` hold what departs on purpose.
"""

import numpy as np
import pytest

import ms_compat as ms
from tests._inner import inner_samples
from tests.conformance import replay

RTOL = 1e-4  # MindSpore's kernels sum in other orders and approximate exp, log and the like
DIFFERENT = {
    "G.StridedSliceGrad(1,0,0,0,0)(dy,(3,4),(5,0),(2,3),(1,1))": "MindSpore forgets the mask and loses the gradient"
}
WIDER = {
    "G.SoftmaxGrad()(ops.softmax(x),dy)": "MindSpore's kernel meets a null pointer",
    'P.DivMods()(x,2,"trunc")': "MindSpore's kernel miscounts its outputs",
    **dict.fromkeys(
        [e for e in inner_samples.samples("gradient") if e.startswith("G.Dilation2D")],
        "MindSpore's kernels can not read their own 'pad_mode'",
    ),
    "I.reduce_max_impl(x,None,True)": "None means all axes everywhere else",
    "I.reduce_any_impl(x>0,None,False)": "likewise",
}
# What MindSpore's CPU backend has no kernel for -> the same in PyTorch; `a` stands for torch.ops.aten.
TORCH = {
    "P.EluGradExt()(dy,x,1.5,False)": "a.elu_backward(dy,1.5,1,1,False,x)",
    "P.EluGradExt()(dy,x,1.0,True)": "a.elu_backward(dy,1.,1,1,True,x)",
    "P.SoftmaxBackward()(dy,x,-1)": "a._softmax_backward_data(dy,x,-1,x.dtype)",
    "P.LeakyReLUGradExt()(dy,x,.2,False)": "a.leaky_relu_backward(dy,x,.2,False)",
    "P.ThresholdGrad()(dy,x,.5)": "a.threshold_backward(dy,x,.5)",
    "P.HardtanhGrad()(dy,x,-1,1)": "a.hardtanh_backward(dy,x,-1,1)",
    "P.GeluGradExt()(dy,x)": "a.gelu_backward(dy,x)",
    "P.GeluGradExt()(dy,x,'tanh')": "a.gelu_backward(dy,x,approximate='tanh')",
    "P.MishGradExt()(dy,x)": "a.mish_backward(dy,x)",
    "P.SoftplusGradExt()(dy,x,2,3)": "a.softplus_backward(dy,x,2,3)",
    "P.LogSigmoidGrad()(dy,x,x)": "a.log_sigmoid_backward(dy,x,torch.exp(-x.abs()))",
    "P.MSELossGradExt()(dy,x,dy,'none')": "a.mse_loss_backward(dy,x,dy,0)",
    "P.L1LossBackwardExt()(dy,x,dy,'none')": "dy*torch.sign(x-dy)",
    "P.ReflectionPad2DGrad()(ones4,ones2,(1,1,1,1))": "a.reflection_pad2d_backward(ones4,ones2,(1,1,1,1))",
    "P.ReplicationPad2DGrad()(ones4,ones2,(1,1,1,1))": "a.replication_pad2d_backward(ones4,ones2,(1,1,1,1))",
    "P.EmbeddingDenseBackward()(x,ids,4,None,False)": "a.embedding_dense_backward(x,ids,4,-1,False)",
    "P.EmbeddingDenseBackward()(x,ids,4,2,True)": "a.embedding_dense_backward(x,ids,4,2,True)",
    "P.AdaptiveAvgPool2DGradExt()(d2,im)": "a._adaptive_avg_pool2d_backward(d2,im)",
    "P.AvgPool2DGrad()(d2,im,(2,2),(2,2))": "a.avg_pool2d_backward(d2,im,(2,2),(2,2),(0,0),False,True,None)",
    "P.UpsampleBilinear2DGrad()(ones4,(1,1,2,2),(4,4),None,False)": (
        "a.upsample_bilinear2d_backward(ones4,(4,4),(1,1,2,2),False)"
    ),
    "P.ConvolutionGrad()(d33,im,w)": (
        "a.convolution_backward(d33,im,w,(1,),(1,1),(0,0),(1,1),False,(0,0),1,(True,True,True))"
    ),
    "P.LayerNormGradExt()(dy,x,(3,),mean,rstd,v3,v3)": (
        "a.native_layer_norm_backward(dy,x,(3,),mean,rstd,v3,v3,(True,True,True))"
    ),
    "P.GroupNormGrad()(im,im,mean1,rstd1,v1,1)": (
        "a.native_group_norm_backward(im,im,mean1,rstd1,v1,1,1,16,1,(True,True,True))"
    ),
    "G.SeluGrad()(dy,ops.selu(x))": "torch.autograd.functional.vjp(F.selu,x,dy)[1]",
    "G.SoftMarginLossGrad('mean')(x,dy,Tensor(1.0))": "a.soft_margin_loss_backward(torch.tensor(1.),x,dy,1)",
    "P.ArgMaxExt()(x)": "torch.argmax(x)",
    "P.LogSigmoid()(x)": "a.log_sigmoid_forward(x)[0],torch.exp(-x.abs())",
    "P.GeluExt()(x,'tanh')": "F.gelu(x,approximate='tanh')",
    "P.LeakyReLUExt()(x,.3)": "F.leaky_relu(x,.3)",
    "P.Hardtanh()(x)": "F.hardtanh(x)",
    "P.LayerNormExt()(x,(3,),v3,v3,1e-5)": "a.native_layer_norm(x,(3,),v3,v3,1e-5)",
    "P.BatchNormExt()(im,v1,v1,v1*0,v1*1,True,.1,1e-5)": "a.native_batch_norm(im,v1,v1,v1*0,v1*1,True,.1,1e-5)",
    "P.Unique2()(x,True,True,True)": "torch.unique(x,True,True,True)",
    "P.UniqueDim()(x,True,True,0)": "a.unique_dim(x,0,True,True,True)",
    "P.NonZeroExt()(x)": "x.nonzero(as_tuple=True)",
    "P.SortExt()(x,0,True)": "torch.sort(x,0,True)",
    "P.TopkExt()(x,2)": "torch.topk(x,2)",
    "P.Kthvalue()(x,2)": "torch.kthvalue(x,2)",
    "P.StdMean()(x,1)": "torch.std_mean(x,1)",
    "P.VarMean()(x,1,0,True)": "torch.var_mean(x,1,correction=0,keepdim=True)",
    "P.RepeatInterleaveInt()(x,2,1)": "x.repeat_interleave(2,1)",
    "P.Arange()(0,5,2)": "torch.arange(0,5,2)",
    "P.OneHotExt(-1)(ids,3,Tensor(1),Tensor(0))": "F.one_hot(ids,3)",
    "P.Convolution()(im,w,None,2,1)": "F.conv2d(im,w,None,2,1)",
    "P.Convolution()(im,w,None,(2,2),(1,1),(1,1),True,(0,0),1)": "F.conv_transpose2d(im,w,None,2,1)",
    "P.KLDiv()(x,dy,'none',True)": "F.kl_div(x,dy,reduction='none',log_target=True)",
    "P.ReplicationPad1D()(im[0],(1,2))": "F.pad(im[0],(1,2),'replicate')",
    "P.UpsampleLinear1D()(im[0],(6,),None,True)": "F.interpolate(im[0],6,mode='linear',align_corners=True)",
    "P.Addbmm()(im[0,0],im[0],im[0],2,.5)": "torch.addbmm(im[0,0],im[0],im[0],beta=2,alpha=.5)",
    "P.AddcmulExt()(x,x,dy,2)": "torch.addcmul(x,x,dy,value=2)",
    "P.LinalgVectorNorm()(x,2,1)": "torch.linalg.vector_norm(x,2,1)",
    "P.MedianDim()(x,1)": "torch.median(x,1)",
    "P.CumminExt()(x,1)": "torch.cummin(x,1)",
    "P.FmodScalar()(x,2)": "torch.fmod(x,2)",
    "P.RemainderScalarTensor()(2,x)": "torch.remainder(2,x)",
    "P.XLogYScalarSelf()(2,dy*dy)": "torch.xlogy(2,dy*dy)",
    "P.IndexAddExt()(x,1,ids,x[:,:2],2)": "torch.index_add(x,1,ids,x[:,:2],alpha=2)",
    "P.Col2ImExt()(im[0],(4,4),(2,2),1,0,2)": "F.fold(im[0],(4,4),(2,2),1,0,2)",
    "P.Im2ColExt()(im,(2,2))": "F.unfold(im,(2,2))",
    "P.InplaceAddExt()(x*1,dy,2)": "torch.add(x,dy,alpha=2)",
    "P.InplaceIndexPut()(x*1,(ids[:1],),dy[:1],True)": "(x*1).index_put_((ids[:1],),dy[:1],True)",
    "P.RotaryPositionEmbedding()(im,im,dy4,0)": "im*im+torch.cat((-im[...,2:],im[...,:2]),-1)*dy4",
    "P.Swiglu()(im)": "F.silu(im[...,:2])*im[...,2:]",
}
TORCH |= {
    "G.RandomGammaGrad()(v3,v3*.7)": "torch._standard_gamma_grad(v3,v3*.7)",
    "G.DepthwiseConv2dNativeBackpropInput(1,(2,2))((1,2,4,4),wd,d2d)": (
        "torch.nn.grad.conv2d_input((1,2,4,4),wd.reshape(2,1,2,2),d2d,groups=2)"
    ),
    "G.DepthwiseConv2dNativeBackpropFilter(1,(2,2))(im2,(1,2,2,2),d2d)": (
        "torch.nn.grad.conv2d_weight(im2,(2,1,2,2),d2d,groups=2).reshape(1,2,2,2)"
    ),
}
TORCH_SETUP = """
wd = Tensor(np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2))
d2d = Tensor(np.sin(np.arange(18, dtype=np.float32)).reshape(1, 2, 3, 3))
ids = Tensor(np.array([0, 2])); v1 = Tensor(np.array([2.], np.float32)); v3 = Tensor(np.array([1., 2., 3.], np.float32))
mean = x.mean(1, True); rstd = 1 / (((x - mean) ** 2).mean(1, True) + 1e-5) ** .5
mean1 = Tensor(np.array([[7.5]], np.float32)); rstd1 = Tensor(np.array([[1 / np.sqrt(21.25 + 1e-5)]], np.float32))
d33 = Tensor(np.cos(np.arange(9, dtype=np.float32)).reshape(1, 1, 3, 3))
dy4 = Tensor(np.cos(np.arange(16, dtype=np.float32)).reshape(1, 1, 4, 4))
"""


def cases():
    return replay.params("inner_{}.json", inner_samples.TOPICS)


@pytest.mark.parametrize("case", cases())
def test_answers_as_recorded(case):
    expression = case["expr"]
    case = {**case, "setup": inner_samples.SETUP, "rtol": RTOL}
    outcome = replay.evaluate(case, ms)
    if expression in DIFFERENT:
        assert replay.differences(case, outcome), f"no longer different: {DIFFERENT[expression]}"
    elif case.get("kernel") or expression in WIDER:
        assert "result" in outcome, outcome
    else:
        assert not replay.differences(case, outcome), (outcome, case)


@pytest.mark.parametrize("expression", TORCH)
def test_answers_as_pytorch_does(expression):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: the extra `bench` brings it")
    names = replay.namespace(ms)
    exec(inner_samples.SETUP + TORCH_SETUP, names)
    ours = eval(expression, names)
    there = {name: torch.tensor(v.asnumpy()) for name, v in names.items() if isinstance(v, ms.Tensor)}
    there |= {"torch": torch, "a": torch.ops.aten, "F": torch.nn.functional}
    theirs = eval(TORCH[expression], there)
    pairs = zip(ours, theirs, strict=True) if isinstance(ours, tuple) else [(ours, theirs)]
    for mine, other in pairs:
        np.testing.assert_allclose(mine.asnumpy(), other.numpy(), rtol=5e-5, atol=2e-6)
        assert mine.asnumpy().dtype == other.numpy().dtype


def gradient_samples():
    return [case["expr"] for case in replay.load("inner_gradient.json") if "result" in case and ")(" in case["expr"]]


@pytest.mark.parametrize("expression", [e for e in gradient_samples() if "dy" in e and "dy>0" not in e])
def test_gradients_compile_and_can_be_differentiated(expression):
    names = replay.namespace(ms)
    exec(inner_samples.SETUP, names)
    made, called = expression.split(")(", 1)
    names["primitive"] = eval(made + ")", names)
    fn, dy = eval("lambda dy: primitive(" + called, names), names["dy"]

    def first(dy):
        out = fn(dy)
        return out[0] if isinstance(out, tuple) else out

    np.testing.assert_allclose(ms.jit(first)(dy).asnumpy(), first(dy).asnumpy(), rtol=1e-5, atol=1e-6)
    assert ms.grad(lambda dy: first(dy).sum())(dy).shape == dy.shape


def test_random_primitives_are_functions_of_seed_and_offset():
    P = ms.ops.auto_generate.gen_ops_prim
    seed, offset, later = ms.Tensor(3), ms.Tensor(0), ms.Tensor(1)
    x = ms.Tensor(np.zeros((400,), np.float32))
    for name, args in {
        "UniformExt": (x, -1.0, 1.0),
        "RandExt": ((400,),),
        "Randn": ((400,),),
        "RandLikeExt": (x,),
        "RandnLike": (x,),
        "RandInt": (0, 100, (400,)),
        "RandIntLike": (x, 0, 100),
        "RandpermExt": (400,),
        "NormalFloatFloat": (0.0, 1.0, (400,)),
        "NormalTensorFloat": (x, 1.0),
        "NormalTensorTensor": (x, x + 1),
        "BernoulliExt": (x + 0.5,),
        "MultinomialExt": (x + 1, 300, False),
    }.items():
        draw = getattr(P, name)()
        first = draw(*args, seed, offset).asnumpy()
        np.testing.assert_array_equal(first, draw(*args, seed, offset).asnumpy())
        assert (first != draw(*args, seed, later).asnumpy()).any(), name
        assert first.std() > 0, name
    np.testing.assert_array_equal(np.sort(P.RandpermExt()(400, seed, offset).asnumpy()), np.arange(400))
    kept, mask = P.DropoutExt()(x + 1, 0.25, seed, offset)
    np.testing.assert_allclose(kept.asnumpy(), mask.asnumpy() / 0.75, rtol=1e-6)
    assert 250 < mask.asnumpy().sum() < 350
    filled = ms.Tensor(np.zeros((400,), np.float32))
    assert P.InplaceNormal()(filled, 2.0, 1.0, seed, offset) is filled
    assert 1.8 < filled.asnumpy().mean() < 2.2


def test_names_reach_classes_instances_and_functions():
    generated = ms.ops.auto_generate
    assert generated.sum_ext_op is generated.sum_ext_op
    assert isinstance(generated.sum_ext_op, generated.SumExt)
    assert isinstance(generated.gen_ops_prim.relu_grad_op, generated.ReluGrad)
    assert isinstance(generated.SumExt(), ms.ops.Primitive)
    assert float(generated.add_ext(ms.Tensor(1.0), ms.Tensor(2.0), 3)) == 7
    assert generated.gen_ops_prim.ReLU is ms.ops.ReLU
    with pytest.raises(NotImplementedError, match="GmmBackward"):
        generated.GmmBackward()


def test_the_recording_holds_the_samples():
    for topic in inner_samples.TOPICS:
        recorded = [case["expr"] for case in replay.load(f"inner_{topic}.json")]
        assert recorded == inner_samples.samples(topic)
