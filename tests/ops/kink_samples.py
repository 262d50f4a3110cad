"""Expressions of one Tensor `x` at points where functions have kinks: zero rows, ties, bounds, saturated probabilities.

To add one, write it under the topic whose `x` it needs and run `python -m tests.conformance.record kinks` with an
interpreter that has MindSpore.
"""
# ruff: noqa: E501 - as many samples a line as there are

import numpy as np

from tests.conformance import replay

SETUP = """
import importlib
mnp = importlib.import_module(ms.__name__ + ".numpy")
inf = float("inf")
t = Tensor(np.array([1, 0, 0, 1, 1], np.float32))
"""

# topic -> x
POINTS = {
    "norms": [[0.0, 0.0], [3.0, 4.0]],
    "ties": [[2.0, 2.0, 1.0], [1.0, 2.0, 2.0]],
    "bounds": [-1.0, -0.5, 0.0, 0.5, 1.0, 0.0, 2.0, -2.0],
    "losses": [0.0, 1.0, 0.0, 1.0, 0.5],
}

TOPICS = {
    "norms": r"""
ops.norm(x,2,1); ops.vector_norm(x,2,1); x.norm(2,1); ops.norm(x,2,0); ops.vector_norm(x,2,0); x.norm(2,0); ops.norm(x,2,None);
ops.vector_norm(x,2,None); x.norm(2,None); ops.norm(x,2,(0,1)); ops.vector_norm(x,2,(0,1)); x.norm(2,(0,1)); ops.norm(x,1,1); ops.vector_norm(x,1,1);
x.norm(1,1); ops.norm(x,1,0); ops.vector_norm(x,1,0); x.norm(1,0); ops.norm(x,1,None); ops.vector_norm(x,1,None); x.norm(1,None); ops.norm(x,1,(0,1));
ops.vector_norm(x,1,(0,1)); x.norm(1,(0,1)); ops.norm(x,inf,1); ops.vector_norm(x,inf,1); x.norm(inf,1); ops.norm(x,inf,0); ops.vector_norm(x,inf,0);
x.norm(inf,0); ops.norm(x,inf,None); ops.vector_norm(x,inf,None); x.norm(inf,None); ops.norm(x,inf,(0,1)); ops.vector_norm(x,inf,(0,1));
x.norm(inf,(0,1)); ops.norm(x,-inf,1); ops.vector_norm(x,-inf,1); x.norm(-inf,1); ops.norm(x,-inf,0); ops.vector_norm(x,-inf,0); x.norm(-inf,0);
ops.norm(x,-inf,None); ops.vector_norm(x,-inf,None); x.norm(-inf,None); ops.norm(x,-inf,(0,1)); ops.vector_norm(x,-inf,(0,1)); x.norm(-inf,(0,1));
ops.norm(x,3,1); ops.vector_norm(x,3,1); x.norm(3,1); ops.norm(x,3,0); ops.vector_norm(x,3,0); x.norm(3,0); ops.vector_norm(x,3,None);
ops.vector_norm(x,3,(0,1)); ops.norm(x,0.5,1); ops.vector_norm(x,0.5,1); x.norm(0.5,1); ops.norm(x,0.5,0); ops.vector_norm(x,0.5,0); x.norm(0.5,0);
ops.vector_norm(x,0.5,None); ops.vector_norm(x,0.5,(0,1)); ops.norm(x,0,1); ops.vector_norm(x,0,1); x.norm(0,1); ops.norm(x,0,0);
ops.vector_norm(x,0,0); x.norm(0,0); ops.vector_norm(x,0,None); ops.vector_norm(x,0,(0,1)); ops.norm(x,-1,1); ops.vector_norm(x,-1,1); x.norm(-1,1);
ops.norm(x,-1,0); ops.vector_norm(x,-1,0); x.norm(-1,0); ops.norm(x,-1,None); ops.vector_norm(x,-1,None); x.norm(-1,None); ops.norm(x,-1,(0,1));
ops.vector_norm(x,-1,(0,1)); x.norm(-1,(0,1)); ops.norm(x,1.5,1); ops.vector_norm(x,1.5,1); x.norm(1.5,1); ops.norm(x,1.5,0); ops.vector_norm(x,1.5,0);
x.norm(1.5,0); ops.vector_norm(x,1.5,None); ops.vector_norm(x,1.5,(0,1)); ops.matrix_norm(x,'fro'); ops.norm(x,'fro',(0,1)); ops.matrix_norm(x,'nuc');
ops.norm(x,'nuc',(0,1)); mint.linalg.matrix_norm(x,'nuc'); mint.linalg.norm(x,'nuc',(0,1)); ops.matrix_norm(x,2); mint.linalg.matrix_norm(x,2);
mint.linalg.norm(x,2,(0,1)); ops.matrix_norm(x,-2); ops.norm(x,-2,(0,1)); mint.linalg.matrix_norm(x,-2); mint.linalg.norm(x,-2,(0,1));
ops.matrix_norm(x,1); ops.matrix_norm(x,-1); ops.matrix_norm(x,inf); ops.norm(x); x.norm(); ops.vector_norm(x,axis=1); ops.norm(x,dim=1,keepdim=True);
ops.L2Normalize(1)(x); ops.clip_by_norm(x,1.0); ops.clip_by_global_norm((x,))[0]; ops.clip_by_norm(x,1.0,2,True); ops.cosine_similarity(x,x*2);
ops.cosine_similarity(x,Tensor(np.ones((2,2),np.float32))); ops.cdist(x,x*1); ops.cdist(x,x*1,2.0); ops.cdist(x,x*1,1.0); ops.cdist(x,x*1,3.0);
ops.cdist(x,x*1,0.0); ops.cdist(x,x*1,inf); ops.dist(x,x*1); ops.dist(x,x*1,1); ops.pdist(x); ops.pdist(x*0); ops.pdist(x*0,3.); ops.pdist(x,inf);
ops.renorm(x,2,0,1.0); ops.renorm(x,1,0,1.0); mnp.norm(x); mnp.norm(x,axis=1); mnp.norm(x,2,1); mnp.norm(x,1,1); ops.std(x*0+1); ops.std(x*0+1,1);
x.std(); (x*0+1).std(1); ops.var(x*0+1); ops.std_mean(x*0)[0]; mnp.std(x*0+1); mnp.std(x*0+1,1); ops.sqrt(x); ops.sqrt(x*x); ops.pow(x,0.5);
ops.pow(x,0); ops.pow(x,1); ops.pow(x,x); ops.pow(0.,x); ops.pow(x,2); ops.pow(x,1.5); mint.pow(x,0.5); x**0; x**1; x**2; x**0.5; 0.0**x; 2.0**x; x**x;
ops.ReduceStd()(x*0)[0]; ops.hypot(x,x*0); ops.hypot(x*0,x*0); ops.atan2(x*0,x*0); ops.atan2(x,x); ops.atan2(x*0,x); ops.arctan2(x*0,x*0); ops.prod(x);
ops.prod(x,1); ops.prod(x,0); mint.prod(x,1); ops.ReduceProd()(x,1); x.prod(1); ops.cumprod(x,1); ops.cumprod(x,0); mint.cumprod(x,1);
mnp.cumprod(x,1); ops.CumProd()(x,1); ops.CumProd(True,True)(x,1); ops.xlogy(x,x); ops.xlogy(x*0,x*0); ops.xlogy(x,x+1); ops.xlogy(0.,x);
mint.xlogy(x,x); ops.Xlogy()(x,x); ops.Xdivy()(x,x); ops.xdivy(x,x*0); ops.DivNoNan()(x,x*0); ops.DivNoNan()(x,x); ops.MulNoNan()(x,x); ops.abs(x);
ops.sign(x); mint.sign(x); ops.sgn(x); mint.abs(x); x.abs(); abs(x); mnp.abs(x); mnp.fabs(x); ops.fmod(x,2.); ops.fmod(x,x); ops.remainder(x,2.);
ops.remainder(x,x); ops.floor_mod(x,x); ops.floor_mod(x,3.); x%3.; x//2.; x%x; ops.floor_divide(x,2.); ops.floor_div(x,2.); ops.fmod(x+1,x+1);
ops.remainder(x+1,x+1); ops.floor_mod(x+1,x+1); mint.remainder(x,2.); mint.fmod(x,2.); ops.Mod()(x,x+1); ops.truncate_mod(x,3.);
ops.truncate_div(x,3.); mnp.fmod(x,2.); mnp.mod(x,2.); mnp.remainder(x,2.); mnp.floor_divide(x,2.); ops.FloorDiv()(x,x+1); ops.round(x); ops.ceil(x);
ops.floor(x); ops.trunc(x); ops.frac(x); ops.copysign(x,x-1); ops.copysign(x,x*0); ops.ldexp(x,x); ops.lerp(x,x,0.5); ops.logaddexp(x,x);
ops.logaddexp2(x,x); ops.nextafter(x,x)
""",
    "ties": r"""
x.max(); x.min(); x.max(axis=1); x.min(axis=1); x.max(axis=(0,1)); x.max(axis=1,keepdims=True); x.max(axis=1,return_indices=True)[0]; ops.max(x)[0];
ops.min(x)[0]; ops.max(x,1)[0]; ops.min(x,1)[0]; ops.max(x,axis=1,keepdims=True)[0]; ops.amax(x); ops.amax(x,1); ops.amax(x,(0,1)); ops.amin(x);
ops.amin(x,1); x.amax(1); x.amin(1); x.amax(); ops.aminmax(x)[0]; ops.aminmax(x)[1]; ops.aminmax(x,axis=1)[1]; x.aminmax(axis=1)[1];
ops.ArgMaxWithValue(1)(x)[1]; ops.ArgMinWithValue(1)(x)[1]; x.argmax_with_value(1)[1]; x.argmin_with_value(1)[1]; ops.median(x)[0]; ops.median(x,1)[0];
x.median(1)[0]; ops.nanmedian(x,1)[0]; ops.topk(x,2)[0]; ops.topk(x,1)[0]; x.topk(2)[0]; ops.sort(x)[0]; ops.sort(x,-1,True)[0]; x.sort()[0];
ops.Sort()(x)[0]; ops.msort(x); ops.ReduceMax()(x,1); ops.ReduceMax()(x); ops.ReduceMin()(x,1); ops.ReduceMax(True)(x,(0,1)); mint.max(x); mint.min(x);
mint.max(x,1)[0]; mint.min(x,1)[0]; mint.amax(x,1); mint.amin(x,1); mint.amax(x); mnp.max(x); mnp.max(x,1); mnp.amax(x); mnp.amax(x,1); mnp.amin(x,1);
mnp.min(x); mnp.ptp(x,1); mnp.ptp(x); ops.logsumexp(x,1); ops.max_pool2d(x.reshape(1,1,2,3),2,1); nn.MaxPool2d(2,1)(x.reshape(1,1,2,3));
nn.MaxPool1d(2,1)(x.reshape(1,2,3)); nn.MaxPool2d((1,2),1,pad_mode='same')(x.reshape(1,1,2,3));
nn.MaxPool3d(2,1,pad_mode='same')(x.reshape(1,1,1,2,3)); ops.max_pool3d(x.reshape(1,1,1,2,3),(1,2,2),1);
ops.adaptive_max_pool2d(x.reshape(1,2,3),(1,2)); nn.AdaptiveMaxPool2d((1,2))(x.reshape(1,2,3)); ops.unsorted_segment_max(x,Tensor([0,0],ms.int32),1);
ops.unsorted_segment_min(x,Tensor([0,0],ms.int32),1); ops.unsorted_segment_prod(x,Tensor([0,0],ms.int32),1);
ops.SegmentMax()(x,Tensor([0,0],ms.int32)); ops.SegmentMin()(x,Tensor([0,0],ms.int32)); ops.MaxPoolWithArgmax(2,1,'valid')(x.reshape(1,1,2,3))[0];
ops.MaxPool(2,1,'valid')(x.reshape(1,1,2,3)); ops.unsorted_segment_prod(x-1,Tensor([0,0],ms.int32),1); x.argmax().astype(ms.float32)+x.sum();
ops.tensor_scatter_max(x,Tensor([[0],[0]],ms.int32),x*1); ops.tensor_scatter_min(x,Tensor([[0],[0]],ms.int32),x*1);
ops.tensor_scatter_mul(x,Tensor([[0],[0]],ms.int32),x*0); ops.tensor_scatter_div(x,Tensor([[0]],ms.int32),x[:1])
""",
    "bounds": r"""
ops.rsqrt(x); ops.asin(x); ops.acos(x); ops.atanh(x); ops.acosh(x); ops.asinh(x); mint.atanh(x); ops.erfinv(x); mint.erfinv(x); ops.lgamma(x);
ops.digamma(x); ops.polygamma(Tensor(1,ms.int32),x); ops.logit(x,1e-6); ops.logit(x); ops.log(x); ops.log1p(x); ops.log2(x);
ops.log10(x); ops.reciprocal(x); ops.inv(x); 1/x; ops.sinc(x); mint.sinc(x); ops.igamma(x+2,x+2); ops.igammac(x+2,x+2); ops.bessel_i0(x);
ops.bessel_i1(x); ops.bessel_j0(x); ops.bessel_j1(x); ops.bessel_k0(x); ops.bessel_y0(x); ops.expm1(x); ops.tan(x); ops.nan_to_num(ops.log(x));
ops.mvlgamma(x+4,2); ops.float_power(x,0.5); ops.float_power(x,2); ops.float_power(x,x); mnp.sqrt(x); mnp.power(x,0); mnp.power(x,0.5); mnp.log(x);
mnp.arcsin(x); mnp.arctanh(x); mnp.sign(x); mnp.maximum(x,0.); mnp.minimum(x,0.5); mnp.clip(x,-0.5,0.5); mnp.clip(x,-0.5,None); mnp.clip(x,None,0.5);
mnp.clip(x,Tensor(-0.5),Tensor(0.5)); ops.clamp(x,-.5,.5); ops.clip_by_value(x,-.5,.5); ops.clip_by_value(x,Tensor(-.5),Tensor(.5));
ops.clip(x,-.5,.5); x.clamp(-.5,.5); x.clip(-.5,.5); mint.clamp(x,-.5,.5); mint.clamp(x,min=Tensor(-.5)); ops.hardtanh(x); ops.hardtanh(x,-.5,.5);
nn.Hardtanh()(x); nn.Hardtanh(-.5,.5)(x); ops.relu(x); ops.relu6(x*6); nn.ReLU6()(x*6); nn.ReLU()(x); mint.nn.functional.relu(x); ops.leaky_relu(x);
nn.LeakyReLU()(x); ops.elu(x); ops.celu(x); ops.selu(x); nn.ELU()(x); nn.CELU()(x); nn.SeLU()(x); ops.prelu(x.reshape(1,8),Tensor([.25]));
nn.PReLU()(x.reshape(1,8)); ops.hardsigmoid(x*3); ops.hardswish(x*3); nn.HSigmoid()(x*3); nn.HSwish()(x*3); mint.nn.functional.hardsigmoid(x*3);
mint.nn.functional.hardswish(x*3); ops.hardshrink(x); ops.softshrink(x); nn.HShrink()(x); nn.SoftShrink()(x); mint.nn.functional.hardshrink(x);
mint.nn.functional.softshrink(x); ops.threshold(x,.5,9.); nn.Threshold(.5,9.)(x); ops.softplus(x*20,1,20); ops.softsign(x); ops.logsigmoid(x*100);
ops.tanhshrink(x); ops.rrelu(x,.25,.25); ops.silu(x); ops.mish(x*40); ops.gelu(x*20); ops.fast_gelu(x*20); ops.maximum(x,x*1); ops.minimum(x,x*1);
ops.maximum(x,0.); ops.minimum(x,.5); ops.fmax(x,x*1); ops.fmax(x,Tensor(.5)); mnp.maximum(x,x*1); mnp.minimum(x,x*1); mint.maximum(x,x*1);
mint.minimum(x,x*1); mint.max(x,x*1); mint.min(x,x*1); x.maximum(x*1); x.minimum(x*1); ops.Maximum()(x,x*1); ops.Minimum()(x,x*1);
ops.nan_to_num(x/(x*0)); ops.where(x>0,ops.sqrt(x),x*0); ops.where(x>0,ops.log(x),x); ops.masked_fill(ops.log(x),x<=0,0.);
ops.select(x>0,ops.log(x),x)
""",
    "losses": r"""
ops.binary_cross_entropy(x,t,None,'none'); ops.binary_cross_entropy(x,t,Tensor(np.full(5,2.,np.float32)),'none'); nn.BCELoss(reduction='none')(x,t);
mint.nn.functional.binary_cross_entropy(x,t,None,'none'); ops.kl_div(x,t,'none'); nn.KLDivLoss('none')(x,t); ops.l1_loss(x,t,'none');
ops.smooth_l1_loss(x,t,1.0,'none'); nn.SmoothL1Loss(0.5,'none')(x,t); ops.huber_loss(x,t,'none',0.5); ops.mse_loss(x,t,'none');
ops.binary_cross_entropy_with_logits(x*200,t,x*0+1,x*0+1,'none'); nn.BCEWithLogitsLoss('none')(x*200,t);
ops.multilabel_soft_margin_loss(x.reshape(1,5)*200,t.reshape(1,5),None,'none'); ops.gaussian_nll_loss(x,t,x,False,1e-6,'none');
ops.hinge_embedding_loss(x,t*2-1,1.0,'none'); ops.margin_ranking_loss(x,t,x*0+1,0.0,'none');
ops.cosine_embedding_loss(x.reshape(1,5)*0,x.reshape(1,5),Tensor([1.]),0.0,'none');
ops.cross_entropy(x.reshape(1,5)*300,Tensor([0],ms.int32),None,-100,'none');
ops.nll_loss(ops.log(x.reshape(1,5)),Tensor([0],ms.int32),None,-100,'none'); ops.multi_margin_loss(x.reshape(1,5),Tensor([1]),reduction='none');
nn.FocalLoss(reduction='none')(x.reshape(1,5)*300,Tensor([[0]],ms.int32));
nn.CosineEmbeddingLoss(0.,'none')(x.reshape(1,5)*0,x.reshape(1,5)*0,Tensor([-1],ms.int32)); nn.HuberLoss('none',1.)(x,t*2); nn.MAELoss('none')(x,t);
ops.binary_cross_entropy(x,t,None,'mean'); ops.binary_cross_entropy(x,t,Tensor(np.full(5,2.,np.float32)),'mean'); nn.BCELoss(reduction='mean')(x,t);
mint.nn.functional.binary_cross_entropy(x,t,None,'mean'); ops.kl_div(x,t,'mean'); nn.KLDivLoss('mean')(x,t); ops.l1_loss(x,t,'mean');
ops.smooth_l1_loss(x,t,1.0,'mean'); nn.SmoothL1Loss(0.5,'mean')(x,t); ops.huber_loss(x,t,'mean',0.5); ops.mse_loss(x,t,'mean');
ops.binary_cross_entropy_with_logits(x*200,t,x*0+1,x*0+1,'mean'); nn.BCEWithLogitsLoss('mean')(x*200,t);
ops.multilabel_soft_margin_loss(x.reshape(1,5)*200,t.reshape(1,5),None,'mean'); ops.gaussian_nll_loss(x,t,x,False,1e-6,'mean');
ops.hinge_embedding_loss(x,t*2-1,1.0,'mean'); ops.margin_ranking_loss(x,t,x*0+1,0.0,'mean');
ops.cosine_embedding_loss(x.reshape(1,5)*0,x.reshape(1,5),Tensor([1.]),0.0,'mean');
ops.cross_entropy(x.reshape(1,5)*300,Tensor([0],ms.int32),None,-100,'mean');
ops.nll_loss(ops.log(x.reshape(1,5)),Tensor([0],ms.int32),None,-100,'mean'); ops.multi_margin_loss(x.reshape(1,5),Tensor([1]),reduction='mean');
nn.FocalLoss(reduction='mean')(x.reshape(1,5)*300,Tensor([[0]],ms.int32));
nn.CosineEmbeddingLoss(0.,'mean')(x.reshape(1,5)*0,x.reshape(1,5)*0,Tensor([-1],ms.int32)); nn.HuberLoss('mean',1.)(x,t*2); nn.MAELoss('mean')(x,t);
ops.binary_cross_entropy(x,t,None,'sum'); ops.binary_cross_entropy(x,t,Tensor(np.full(5,2.,np.float32)),'sum'); nn.BCELoss(reduction='sum')(x,t);
mint.nn.functional.binary_cross_entropy(x,t,None,'sum'); ops.kl_div(x,t,'sum'); nn.KLDivLoss('sum')(x,t); ops.l1_loss(x,t,'sum');
ops.smooth_l1_loss(x,t,1.0,'sum'); nn.SmoothL1Loss(0.5,'sum')(x,t); ops.huber_loss(x,t,'sum',0.5); ops.mse_loss(x,t,'sum');
ops.binary_cross_entropy_with_logits(x*200,t,x*0+1,x*0+1,'sum'); nn.BCEWithLogitsLoss('sum')(x*200,t);
ops.multilabel_soft_margin_loss(x.reshape(1,5)*200,t.reshape(1,5),None,'sum'); ops.gaussian_nll_loss(x,t,x,False,1e-6,'sum');
ops.hinge_embedding_loss(x,t*2-1,1.0,'sum'); ops.margin_ranking_loss(x,t,x*0+1,0.0,'sum');
ops.cosine_embedding_loss(x.reshape(1,5)*0,x.reshape(1,5),Tensor([1.]),0.0,'sum');
ops.cross_entropy(x.reshape(1,5)*300,Tensor([0],ms.int32),None,-100,'sum'); ops.nll_loss(ops.log(x.reshape(1,5)),Tensor([0],ms.int32),None,-100,'sum');
ops.multi_margin_loss(x.reshape(1,5),Tensor([1]),reduction='sum'); nn.FocalLoss(reduction='sum')(x.reshape(1,5)*300,Tensor([[0]],ms.int32));
nn.CosineEmbeddingLoss(0.,'sum')(x.reshape(1,5)*0,x.reshape(1,5)*0,Tensor([-1],ms.int32)); nn.HuberLoss('sum',1.)(x,t*2); nn.MAELoss('sum')(x,t);
nn.RMSELoss()(x,t); nn.RMSELoss()(x,x*1); nn.DiceLoss()(x,t); nn.DiceLoss()(x*0,t*0); nn.MultiClassDiceLoss()(x.reshape(5,1),t.reshape(5,1));
nn.SoftmaxCrossEntropyWithLogits()(x.reshape(1,5)*300,t.reshape(1,5)); ops.softmax(x*1000); ops.log_softmax(x*1000); ops.sigmoid(x*1000);
nn.LPPool1d(2,2)(x.reshape(1,5)[:,:4]*0); ops.lp_pool1d(x.reshape(1,1,5)[:,:,:4]*0,2.,2); ops.lp_pool2d(x[:4].reshape(1,1,2,2)*0,2.,2);
nn.BatchNorm1d(5)(x.reshape(1,5)); nn.LayerNorm((5,))(x*0+1); nn.GroupNorm(1,5)(x.reshape(1,5,1,1)*0);
mint.nn.functional.group_norm(x.reshape(1,5)*0,1); nn.ImageGradients()(x[:4].reshape(1,1,2,2))[0]; ops.cov(x); ops.lrn(x.reshape(1,5,1,1)*0);
nn.CentralCrop(0.5)(ops.ones((1,4,4))*x[4]); ops.interpolate(x.reshape(1,1,5),7,mode='linear'); nn.probability.distribution.Bernoulli(0.5).log_prob(x);
nn.probability.distribution.Normal(0.,1.).cdf(x*100); nn.probability.distribution.Uniform(0.,1.).log_prob(x);
nn.probability.distribution.Categorical([.5,.5]).log_prob(x*0);
nn.probability.distribution.Exponential(1.).log_prob(x)
""",
}


def samples(topic: str) -> list[str]:
    """The expressions of a topic."""
    return [text.strip() for text in TOPICS[topic].replace("\n", " ").split("; ") if text.strip()]


def gradient(topic: str, expression: str, ms) -> list[float]:
    """The gradient at the topic's point of the outputs' sum, the first once, the second twice and so on."""
    space = replay.namespace(ms)
    exec(SETUP, space)
    function = eval(f"lambda x: {expression}", space)
    x = ms.Tensor(np.array(POINTS[topic], np.float32))

    def total(x):
        out = function(x)
        out = ms.ops.reshape(out, (out.size,))
        return (ms.ops.cast(out, ms.float32) * ms.Tensor(np.arange(1, out.size + 1, dtype=np.float32))).sum()

    return ms.grad(total)(x).asnumpy().reshape(-1).tolist()
