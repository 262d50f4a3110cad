"""Samples of refused dtypes, of mixed ones, of flags that are no bools, and of settings of layers; see `samples.py`.

To add one, add it and run `python -m tests.conformance.record ops_refusals` with an interpreter that has MindSpore.
"""

from tests.ops import samples as first

SETUP = (
    first.SETUP + "c = Tensor(np.array([[1 + 2j, -2, 3j], [4, 5 - 1j, -6.5]], np.complex64)); at = Tensor([[0], [1]])\n"
)

TOPICS = {
    "tensors": r"""
ops.lerp(x,i,0.5); ops.lerp(1.5,x,0.5); mint.lerp(b,x,0.5); ops.addcmul(x,i,x); ops.addcdiv(x,x,i); x.addcmul(x,h);
ops.isclose(x,i); x.isclose(h); ops.histc(c,3); ops.renorm(i,2,0,1.); ops.logcumsumexp(i,1); ops.median(b);
ops.median(c); ops.nanmedian(b,1); ops.aminmax(c); ops.dist(c,c); ops.margin_ranking_loss(x,h,x);
ops.margin_ranking_loss(x,x,x,1); ops.hinge_embedding_loss(i,x); ops.hinge_embedding_loss(x,i);
ops.triplet_margin_loss(x,x,h); ops.triplet_margin_loss(x,x,x,1.,2.); ops.triplet_margin_loss(x,x,x,1.,2,1);
ops.cosine_embedding_loss(x,h,x[:,0]); ops.binary_cross_entropy_with_logits(x,x,i,x);
ops.binary_cross_entropy_with_logits(x,x,x,i); ops.dense(x,i); ops.dense(x,x,i[:,0]); ops.cdist(x,h); ops.trace(b);
ops.affine_grid(i[None],(1,1,2,2)); ops.topk(b,2); ops.sort(c); ops.argsort(c); ops.sequence_mask(x[0],3);
ops.clamp(b,0,1); ops.clamp(x,True,2); x.clip(0,True); ops.meshgrid(x[0],i[0]); ops.scatter(x,1,at,i[:,:1]);
ops.scatter(x,1,at,[[1.],[2.]]); ops.tensor_scatter_elements(x,at,i[:,:1],1); ops.inplace_sub(x,i[:1],0);
ops.inplace_add(x,i[:1],0); ops.inplace_update(i,x[:1],0); ops.cross_entropy(np.ones((2,3),np.float32),i[:,0]);
ops.cross_entropy(x,np.array([0,1])); ops.cross_entropy(x,i[:,0]*0,np.ones(3,np.float32));
ops.ctc_loss(x[:,None],at.T,(2,),(1.5,)); nn.MultiClassDiceLoss(1); nn.MultiClassDiceLoss(None,'a');
nn.MultiClassDiceLoss(None,None,2); nn.MultiClassDiceLoss(activation='no'); nn.FocalLoss(1.); nn.FocalLoss(gamma=2);
""",
    "flags": r"""
ops.sum(x,0,1); ops.mean(x,0,1); ops.mean(x,0,None); ops.prod(x,0,1); ops.max(x,1,1); ops.amax(x,0,'a'); ops.all(b,1,1);
ops.ReduceSum(1)(x,1); ops.argmax(x,1,1); ops.std(x,1,1,1); ops.logsumexp(x,1,1); ops.norm(x,2,1,1); ops.sort(x,0,1);
ops.topk(x,2,1,1); ops.topk(x,2,1,True,1); ops.unique_consecutive(x[0],1); ops.searchsorted(x[0],x[0],right=1);
ops.triplet_margin_loss(x,x,x,1.,2,1e-6,1); ops.gaussian_nll_loss(x,x,x*x,1); mint.sum(x,dim=1,keepdim=1); x.max(0,1);
x.sum(0,keepdims=1); x.mean(0,1); mint.sort(x,1,1); ops.CumSum(1)(x,1);
""",
    "constructors": r"""
nn.MaxPool1d(3,1,'pad',(1,1)); nn.MaxPool2d(3,1,'pad',(1,1,1)); nn.MaxPool2d(3,1,'pad',1.);
nn.MaxPool2d(3,1,'pad',-1); nn.MaxPool2d(3,1,'pad',True); nn.MaxPool2d(3,1,'pad','a'); nn.MaxPool2d(3,1,'pad',None);
nn.MaxPool3d(3,1,'pad',(1,1)); nn.MaxPool3d(3,1,'valid','a'); nn.MaxPool3d(3,1,'valid',None);
nn.MaxPool2d(3,1,'valid','a'); nn.AvgPool1d(3,1,'pad',1.); nn.AvgPool2d(3,1,'valid',1.); nn.AvgPool2d(3,1,'pad',True);
nn.AvgPool2d(3,1,'pad',(1,1,1)); nn.AvgPool3d(3,1,'pad',None); nn.MaxPool1d(3,1,'pad',[1])(x).shape;
nn.MaxPool2d(3,1,'pad',[1,1])(x[None]).shape; nn.AvgPool2d(2,1,'pad',[1])(x[None]); nn.InstanceNorm2d(3,momentum=1);
nn.InstanceNorm2d(3,0); nn.InstanceNorm2d(3,0.); nn.InstanceNorm1d(3,-1.); nn.InstanceNorm3d(3,gamma_init=h[0]);
nn.InstanceNorm2d(3,beta_init=h[0]); nn.InstanceNorm2d(3,momentum=1.5); nn.CrossEntropyLoss(label_smoothing=0);
nn.CrossEntropyLoss(label_smoothing=1.5); nn.CrossEntropyLoss(label_smoothing=-.5);
nn.CrossEntropyLoss(ignore_index=1.5); nn.CrossEntropyLoss([1.]); nn.CrossEntropyLoss(np.ones(2,np.float32));
nn.NLLLoss(1); nn.NLLLoss(ignore_index=1.); nn.LRN(alpha=1); nn.LRN(bias=1); nn.LRN(beta=1); nn.LRN(2.);
nn.Conv3d(2,3,(2,1)); nn.Conv3d(2,3,3,(2,1)); nn.Conv3d(2,3,3,dilation=(2,1)); nn.Conv2d(2,3,(1,1,1));
nn.Conv3dTranspose(2,3,3,dilation=2); nn.Conv3d(2,3,3,pad_mode='SAME').weight.shape; nn.Conv2d(2,3,3,pad_mode='SAME');
nn.Dense(2,3,activation=nn.ReLU); nn.MultiheadAttention(4,2,dropout=2.,batch_first=1).in_proj_bias.shape; ;
""",
}


def samples(topic: str) -> list[str]:
    """The expressions of a topic."""
    return [" ".join(part.split()) for part in TOPICS[topic].split(";") if part.strip()]
