"""Samples of refused dtypes, of mixed ones, of ranks, factors, flags that are no bools, settings of layers, and of
arrays and numbers where a Tensor is needed; see `samples.py`.

To add one, add it and run `python -m tests.conformance.record ops_refusals` with an interpreter that has MindSpore.
"""

from tests.ops import samples as first

SETUP = (
    first.SETUP + "c = Tensor(np.array([[1 + 2j, -2, 3j], [4, 5 - 1j, -6.5]], np.complex64)); at = Tensor([[0], [1]])\n"
    "z = Tensor(2.0); e = Tensor(np.ones((0, 3, 4), np.float32)); f = x[None, :, :2]\n"
    "v = Tensor(np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2))\n"
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
    "arrays": r"""
i.bitwise_and(i.asnumpy()); mint.all(b.asnumpy()); mint.any(b.asnumpy(), 1); mint.bmm(x[None], x.T[None].asnumpy());
mint.bmm(x[None].asnumpy(), x.T[None]); mint.broadcast_to(x.asnumpy(), (1, 2, 3)); mint.chunk(x.asnumpy(), 2, 1);
mint.flip(x.asnumpy(), (0,)); mint.fmod(x.asnumpy(), 2); mint.gather(x, 1, Tensor([[0], [1]]).asnumpy());
mint.lerp(x, x.asnumpy(), 0.5); mint.logical_and(b.asnumpy(), b);
mint.meshgrid(Tensor([1, 2]), Tensor([3, 4]).asnumpy()); mint.remainder(x.asnumpy(), 2);
mint.searchsorted(Tensor([1.0, 2]).asnumpy(), Tensor([1.5])); mint.select(x.asnumpy(), 0, 1); mint.sinc(x.asnumpy());
mint.special.erfc(x.asnumpy()); mint.split(x.asnumpy(), 1, 1); mint.sqrt(i.asnumpy()); mint.squeeze(x.asnumpy(), 0);
mint.transpose(x.asnumpy(), 0, 1); ops.ArgMaxWithValue(1)(x.asnumpy()); ops.Argmin()(x.asnumpy());
ops.Betainc()(x / 7, (x / 8).asnumpy(), x / 9); ops.BiasAdd()(x, x[0].asnumpy()); ops.Cast()(x.asnumpy(), ms.bool_);
ops.ComplexAbs()(c.asnumpy()); ops.CopyWithSlice()(Tensor([1.0, 2.0]).asnumpy(), Tensor([3.0, 4.0]));
ops.Cummax(1)(x.asnumpy()); ops.CumulativeLogsumexp()(x, Tensor(1).asnumpy());
ops.CumulativeLogsumexp()(x.asnumpy(), Tensor(1)); ops.Div()(i.asnumpy(), i);
ops.Eig()(Tensor([[2.0, 0.0], [0.0, 3.0]]).asnumpy()); ops.EqualCount()(x, (x * 1).asnumpy());
ops.EqualCount()(x.asnumpy(), x * 1); ops.FillV2()(Tensor([2, 3], ms.int32), Tensor(5.0).asnumpy());
ops.FloorMod()(i, Tensor(-4, ms.int32).asnumpy()); ops.GatherD()(x.asnumpy(), 1, Tensor([[0], [1]]));
ops.GatherNd()(x, Tensor([[0], [1]]).asnumpy()); ops.Histogram(4)(x.asnumpy());
ops.IndexFill()(x, 1, Tensor([0, 2], ms.int32).asnumpy(), Tensor(5.0)); ops.Inv()(x.asnumpy());
ops.LinSpace()(Tensor(0.0).asnumpy(), Tensor(1.0), 3); ops.MaskedFill()(x, b, Tensor(1.0).asnumpy());
ops.MaskedFill()(x.asnumpy(), b, Tensor(1.0)); ops.MaskedSelect()(x.asnumpy(), b); ops.MatMul()(x.asnumpy(), x.T);
ops.MatrixDiagPartV3()(x, Tensor(0, ms.int32).asnumpy(), Tensor(0.0)); ops.Median()(x.asnumpy());
ops.Mod()(x, Tensor(2.0).asnumpy()); ops.Mod()(x.asnumpy(), Tensor(2.0));
ops.NthElement(True)(x, Tensor(0, ms.int32).asnumpy());
ops.OneHot()(Tensor([0, 1]), 3, Tensor(1.0), Tensor(0.0).asnumpy());
ops.OneHot()(Tensor([0, 1]), 3, Tensor(1.0).asnumpy(), Tensor(0.0));
ops.OneHot()(Tensor([0, 1]).asnumpy(), 3, Tensor(1.0), Tensor(0.0));
ops.PReLU()(x, Tensor([0.1, 0.2, 0.3]).asnumpy()); ops.PadV3()(x.asnumpy(), Tensor([1, 1]), Tensor(5.0));
ops.Polygamma()(Tensor(1), x.asnumpy()); ops.Polygamma()(Tensor(1).asnumpy(), x); ops.PopulationCount()(i.asnumpy());
ops.Pow()(x.asnumpy(), 2.0); ops.Range()(Tensor(0), Tensor(5), Tensor(2).asnumpy());
ops.Range()(Tensor(0).asnumpy(), Tensor(5), Tensor(2)); ops.Rank()(x.asnumpy()); ops.RealDiv()(i, i.asnumpy());
ops.RealDiv()(i.asnumpy(), i); ops.ReduceAll()(b.asnumpy()); ops.ReduceMax()(x.asnumpy(), 1);
ops.ReduceProd()(i.asnumpy()); ops.ReduceSum()(i.asnumpy()); ops.TruncateDiv()(x.asnumpy(), Tensor(2.0));
ops.UnsortedSegmentMax()(x, at.asnumpy(), 2); ops.UnsortedSegmentMax()(x.asnumpy(), at, 2);
ops.addcdiv(x.asnumpy(), x, x, 0.5); ops.addcmul(x, x, x.asnumpy(), 0.5); ops.addcmul(x, x.asnumpy(), x, 0.5);
ops.addmm(Tensor(np.ones((2, 2), np.float32)), x, x.T.asnumpy()); ops.addmv(Tensor([1.0, 1.0]), x, x[0].asnumpy());
ops.amax(x.asnumpy(), 1); ops.aminmax(x.asnumpy()); ops.argmax(x.asnumpy()); ops.atan2(x, x.asnumpy());
ops.atan2(x.asnumpy(), x); ops.atanh((x / 10).asnumpy()); ops.atleast_1d(Tensor(1.0).asnumpy());
ops.bessel_i1e(d.asnumpy()); ops.bitwise_and(i.asnumpy(), 3); ops.bitwise_right_shift(i.asnumpy(), 1);
ops.bitwise_xor(i, b.asnumpy()); ops.block_diag(x.asnumpy(), x); ops.bucketize(x.asnumpy(), [1.0, 2.0]);
ops.cartesian_prod(x[0], x[1].asnumpy()); ops.cdist(x, x.asnumpy());
ops.clamp(x, Tensor(0.0), Tensor(2.0).asnumpy()); ops.clamp(x.asnumpy(), -1, 2);
ops.clip_by_value(x, Tensor(0.0), Tensor(2.0).asnumpy()); ops.count_nonzero(x.asnumpy());
ops.cov(x, fweights=Tensor([1, 2, 1]).asnumpy()); ops.cummax(x.asnumpy(), 1); ops.cummin(i.asnumpy(), 0);
ops.cumprod(x.asnumpy(), 0); ops.cumsum(x.asnumpy(), 0); ops.diag_embed(x.asnumpy());
ops.diagonal_scatter(x, Tensor([0.0, 0.0]).asnumpy()); ops.diff_ext(x.asnumpy()); ops.dist(x.asnumpy(), x + 1);
ops.dot(x.asnumpy(), x.T); ops.eigvals(c[:, :2].asnumpy()); ops.exp2(x.asnumpy()); ops.expand_dims(x.asnumpy(), 0);
ops.fft2(x.asnumpy()); ops.flatten(x[None].asnumpy()); ops.flipud(x.asnumpy()); ops.float_power(i, i.asnumpy());
ops.float_power_ext(x.asnumpy(), 2); ops.floor_div(x.asnumpy(), 2); ops.fmod(i, (i - i).asnumpy());
ops.frac(x.asnumpy()); ops.gather_d(x, 1, Tensor([[0, 2], [1, 1]]).asnumpy());
ops.ifft2(c.asnumpy(), norm='forward'); ops.ifftn(c.asnumpy()); ops.ifftshift(x.asnumpy()); ops.ihfft(x.asnumpy());
ops.ihfft2(x.asnumpy()); ops.ihfftn(x.asnumpy()); ops.index_fill(x.asnumpy(), 1, Tensor([0], ms.int32), 5.0);
ops.index_select(x.asnumpy(), 1, Tensor([0, 2])); ops.inplace_add(x, x[:1].asnumpy(), 0);
ops.inplace_add(x.asnumpy(), x[:1], 0); ops.inplace_sub(x, x[:1].asnumpy(), 0); ops.inverse((x @ x.T).asnumpy());
ops.invert(i.asnumpy()); ops.irfft(c.asnumpy()); ops.irfft2(c.asnumpy()); ops.irfftn(c.asnumpy());
ops.isclose(x, x.asnumpy()); ops.isneginf(x.asnumpy()); ops.le(x.asnumpy(), x); ops.lgamma(x.asnumpy());
ops.log2((x * x).asnumpy()); ops.logical_and(x, i.asnumpy()); ops.logsumexp(x.asnumpy(), 1);
ops.lstsq(x.T, Tensor([[1.0], [2.0], [3.0]]).asnumpy()); ops.masked_fill(x, b.asnumpy(), 0.0);
ops.masked_select(x.asnumpy(), b); ops.matrix_diag(x.asnumpy());
ops.matrix_diag_part(x, Tensor(0, ms.int32).asnumpy(), Tensor(0.0)); ops.mean(i.asnumpy());
ops.meshgrid(Tensor([1, 2]).asnumpy(), Tensor([3, 4, 5])); ops.minimum(i.asnumpy(), 2.5); ops.mm(x, x.T.asnumpy());
ops.movedim(x.asnumpy(), 0, 1); ops.mv(x.asnumpy(), x[0]); ops.nan_to_num((x / 0).asnumpy());
ops.nansum(x.asnumpy()); ops.ne(x, x.asnumpy()); ops.nextafter(x, (x + 1).asnumpy()); ops.norm(x.asnumpy());
ops.ones(Tensor([2]).asnumpy()); ops.partial(ops.add, x)(x.asnumpy()); ops.polar(x.asnumpy(), x);
ops.pow(x.asnumpy(), 2); ops.rad2deg(x.asnumpy()); ops.range(Tensor(0), Tensor(5), Tensor(2).asnumpy());
ops.range(Tensor(0), Tensor(5).asnumpy(), Tensor(2)); ops.range(Tensor(0).asnumpy(), Tensor(5), Tensor(2));
ops.real(ops.Complex()(x, x).asnumpy()); ops.relu(i.asnumpy()); ops.repeat_elements(x.asnumpy(), 2, 1);
ops.reshape(x, Tensor([3, 2]).asnumpy()); ops.rfft2(x.asnumpy()); ops.rfftn(x.asnumpy());
ops.select(b, x, x.asnumpy()); ops.select(b.asnumpy(), x, x); ops.sgn(x.asnumpy()); ops.sigmoid(c.asnumpy());
ops.signbit(x.asnumpy()); ops.slice_scatter(x.asnumpy(), x[:, :1], 1, 1, 2); ops.square(i.asnumpy());
ops.squeeze(x[None].asnumpy()); ops.std_mean(x.asnumpy(), 1); ops.subtract(x.asnumpy(), 1, alpha=2);
ops.swapaxes(x.asnumpy(), 0, 1); ops.swapdims(x.asnumpy(), 0, 1); ops.t(x.asnumpy());
ops.tensor_scatter_mul(x.asnumpy(), Tensor([[0, 0]]), Tensor([3.0]));
ops.tensor_scatter_sub(x, Tensor([[0, 0]]).asnumpy(), Tensor([1.0])); ops.tensor_split(x.asnumpy(), 2, 1);
ops.transpose(x.asnumpy(), (1, 0)); ops.trapz(x.asnumpy()); ops.truncate_div(i.asnumpy(), -4);
ops.unbind(x.asnumpy(), 1); ops.unique_consecutive(Tensor([1, 1, 2], ms.int32).asnumpy());
ops.unsorted_segment_max(x.asnumpy(), Tensor([0, 1]), 3); ops.unsorted_segment_min(x, at.asnumpy(), 2);
ops.vander(x[0].asnumpy()); ops.var(x.asnumpy(), 1, 1, True); ops.vecdot(x.asnumpy(), x);
ops.where(b, x.asnumpy(), 0.0); x.addcmul(x, x.asnumpy()); x.allclose(x.asnumpy()); x.dot(x.T.asnumpy());
x.eq(i.asnumpy()); x.gather_nd(Tensor([[0, 1]]).asnumpy()); x.heaviside(x.asnumpy()); x.isclose(x.asnumpy());
x.ldexp(i.asnumpy()); x.lerp((x + 1).asnumpy(), 0.5); x.ne(i.asnumpy());
x.scatter(1, Tensor([[0], [1]]), Tensor([[9.0], [8.0]]).asnumpy());
x.scatter(1, Tensor([[0], [1]]).asnumpy(), Tensor([[9.0], [8.0]]));
x.scatter_max(Tensor([[0, 1]]), Tensor([2.0]).asnumpy()); x.scatter_max(Tensor([[0, 1]]).asnumpy(), Tensor([2.0]));
x.scatter_mul(Tensor([[0, 1]]).asnumpy(), Tensor([2.0])); x.select(b.asnumpy(), x); x.to(i.asnumpy());
x.unsorted_segment_min(Tensor([0, 0]).asnumpy(), 1); x.xlogy(x.asnumpy()); x[0].expand_as(other=x.asnumpy())
""",
    "numbers": r"""
i.lcm([1.5]); i.unsorted_segment_min(segment_ids=[1.5], num_segments=3); mint.clamp([1.5], 0, 1);
mint.cross(x, [1.5]); mint.eq([1.5], x); mint.flatten([1.5]); mint.fmod([1.5], 2); mint.isclose(x, [1.5]);
mint.lerp([1.5], x, 0.5); mint.masked_select(x, [1.5]); mint.matmul([1.5], x.T); mint.permute([1.5], (1, 0));
mint.searchsorted(Tensor([1.0, 2]), [1.5]); mint.sum([1.5]); mint.trunc([1.5]); mint.unsqueeze([1.5], 0);
ops.ArgMaxWithValue(1)([1.5]); ops.Argmax()([1.5]); ops.Betainc()([1.5], x / 8, x / 9);
ops.Betainc()(x / 7, x / 8, [1.5]); ops.BiasAdd()([1.5], x[0]); ops.BiasAdd()(x, [1.5]);
ops.Bucketize([1.0, 3.0])([1.5]); ops.CopyWithSlice()([1.5], Tensor([3.0, 4.0])); ops.Cummin(1)([1.5]);
ops.CumulativeLogsumexp()([1.5], Tensor(1)); ops.Div()([1.5], i); ops.DivNoNan()(x, [1.5]); ops.Eig()([1.5]);
ops.EqualCount()([1.5], x * 1); ops.Expand()(x[0], [1.5]); ops.Flatten()([1.5]); ops.FloorMod()(i, np.float32(2));
ops.Gather()([1.5], Tensor([0, 2]), 1); ops.Histogram(4)([1.5]); 
ops.IndexFill()([1.5], 1, Tensor([0, 2], ms.int32), Tensor(5.0)); ops.Invert()([1.5]);
ops.LogSpace(4, 2)(Tensor(1.0), [1.5]); ops.MatrixDiagPartV3()([1.5], Tensor(0, ms.int32), Tensor(0.0));
ops.MatrixDiagPartV3()(x, Tensor(0, ms.int32), [1.5]); ops.MirrorPad('REFLECT')([1.5], Tensor([[0, 0], [1, 1]]));
ops.NonZero()([1.5]); ops.Orgqr()(x.T, [1.5]); ops.PadV3()(x, Tensor([1, 1]), np.float32(2)); ops.Pow()([1.5], 2.0);
ops.Range()(Tensor(0), Tensor(5), True); ops.Range()(Tensor(0), True, Tensor(2)); ops.Rank()([1.5]);
ops.ReduceAll()([1.5]); ops.ReduceStd()([1.5]); ops.Reshape()([1.5], (3, 2)); ops.Rint()([1.5]);
ops.Select()([1.5], x, x); ops.Select()(b, [1.5], x); ops.SelectView()([1.5], 1, 0); ops.Softmax()([1.5]);
ops.Squeeze(0)([1.5]); ops.StridedSlice(begin_mask=1)([1.5], (1, 0), (2, 3), (1, 1));
ops.SubAndFilter()(True, 10, 3); ops.Transpose()([1.5], (1, 0)); ops.TruncateDiv()(x, np.float32(2));
ops.UnsortedSegmentMax()(x, [1.5], 2); ops.UnsortedSegmentMin()([1.5], at, 2);
ops.UnsortedSegmentProd()([1.5], at, 2); ops.UnsortedSegmentSum()(x, [1.5], 2); ops.ZerosLike()([1.5]);
ops.abs([1.5]); ops.acosh([1.5]); ops.addcdiv(x, [1.5], x, 0.5); ops.addcmul(x, [1.5], x, 0.5);
ops.addmv([1.5], x, x[0]); ops.aminmax([1.5]); ops.argsort([1.5]); ops.atanh([1.5]);
ops.augassign_floordiv([1.5], 2); ops.augassign_mod([1.5], 2); 
ops.augassign_sub(3, [1.5]); ops.bias_add([1.5], x[0]); ops.bitwise_left_shift([1.5], 1); ops.bitwise_or([1.5], i);
ops.bitwise_right_shift([1.5], 1); ops.block_diag([1.5], x); ops.bmm([1.5], x.T[None]); ops.bmm(x[None], [1.5]);
ops.cartesian_prod([1.5], x[1]); ops.cartesian_prod(x[0], [1.5]); ops.cdist([1.5], x);
ops.clip_by_norm(np.float32(2), 1.0); ops.combinations([1.5]); ops.cov(x, fweights=np.float32(2));
ops.cumprod([1.5], 0); ops.cumsum([1.5], 0); ops.depend(x, np.float32(2)); ops.det([1.5]); ops.diag([1.5]);
ops.diagonal([1.5]); ops.diff_ext([1.5]); ops.div([1.5], i); ops.div(i, [1.5]); ops.eq([1.5], i);
ops.equal(x, [1.5]); ops.erfc([1.5]); ops.erfinv([1.5]); ops.expand_as([1.5], x); ops.expand_dims([1.5], 0);
ops.fft2([1.5]); ops.fftshift([1.5]); ops.flip([1.5], (0,)); ops.fliplr([1.5]); ops.flipud([1.5]);
ops.float_power(i, [1.5]); ops.float_power_ext(2, [1.5]); ops.floor_div([1.5], 2); ops.fmax(x, [1.5]);
ops.fmod([1.5], 2); ops.frac([1.5]); ops.full_like([1.5], 3); ops.gather([1.5], Tensor([1, 0]), 0);
ops.gather(x, [1.5], 0); ops.gather_nd([1.5], Tensor([[0, 1], [1, 2]])); ops.ge([1.5], 1); ops.gelu([1.5], 'tanh');
ops.ger([1.5], x[0]); ops.greater(x, [1.5]); ops.heaviside(x, [1.5]); ops.histc([1.5], 3); ops.hypot(x, [1.5]);
ops.ifft([1.5]); ops.ihfft([1.5]); ops.ihfft2([1.5]); ops.index_select([1.5], 1, Tensor([0, 2]));
ops.index_select(x, 1, [1.5]); ops.inverse([1.5]); ops.isclose(x, [1.5]);
ops.kron([1.5], x[0]); ops.lcm(i, [1.5]); ops.lerp([1.5], x + 1, 0.5);
ops.lgamma([1.5]); ops.log1p([1.5]); ops.log_softmax([1.5]); ops.logcumsumexp([1.5], 1); ops.logdet([1.5]);
ops.logical_or([1.5], True); ops.masked_fill([1.5], b, 0.0); ops.masked_fill(x, [1.5], 0.0);
ops.masked_fill(x, b, np.float32(2)); ops.matrix_band_part([1.5], 0, 1); ops.matrix_power([1.5], 2);
ops.maximum([1.5], i); ops.maximum(x, [1.5]); ops.minimum(i, [1.5]); ops.mm([1.5], x.T); ops.movedim([1.5], 0, 1);
ops.mv([1.5], x[0]); ops.nan_to_num([1.5]); ops.neg([1.5]); ops.nextafter([1.5], x + 1); ops.norm(np.float32(2));
ops.one_hot(Tensor([0, 1, 2]), 3, Tensor(1.0), np.float32(2)); ops.ones(np.float32(2)); ops.ones_like([1.5]);
ops.pad(x, np.float32(2)); ops.range(Tensor(0), True, Tensor(2)); ops.renorm([1.5], 2, 0, 1.0);
ops.repeat_interleave(x, np.float32(2), 0); ops.reshape(x, np.float32(2)); ops.reshape_([1.5], (3, 2));
ops.rfft2([1.5]); ops.rfftn([1.5]); ops.rot90([1.5], 1, (0, 1)); ops.round([1.5]); ops.selu([1.5]); ops.sgn([1.5]);
ops.shape([1.5]); ops.sign([1.5]); ops.silu([1.5]); ops.sinc([1.5]); ops.squeeze([1.5]); ops.std_mean([1.5], 1);
ops.swapaxes([1.5], 0, 1); ops.tensor_dot([1.5], x, ((1,), (1,))); ops.tensor_scatter_max(x, [1.5], Tensor([3.0]));
ops.tensor_scatter_mul([1.5], Tensor([[0, 0]]), Tensor([3.0])); ops.tensor_scatter_mul(x, Tensor([[0, 0]]), [1.5]);
ops.tile([1.5], (1, 2)); ops.tile(x, np.float32(2)); ops.top_k([1.5], 2); ops.trapz([1.5]); ops.tril([1.5]);
ops.triu([1.5], 1); ops.trunc([1.5]); ops.truncate_mod([1.5], -4); ops.unbind([1.5], 1);
ops.unique_with_pad([1.5], pad_num=0); ops.unsorted_segment_max([1.5], Tensor([0, 1]), 3);
ops.unsorted_segment_prod([1.5], at, 2); ops.var([1.5], 1, 1, True); ops.vecdot(x, [1.5]);
ops.zeros_like(np.float32(2)); x.add([1.5], alpha=2); x.copysign([1.5]); x.gather([1.5], 0); x.gather_nd([1.5]);
x.inplace_update([1.5], 0); x.masked_fill([1.5], 2); x.masked_select([1.5]); x.max(axis=0, initial=2.0, where=[1.5]);
x.maximum([1.5]); x.mm([1.5]); x.repeat_interleave(np.float32(2), 0); x.scatter_mul(Tensor([[0, 1]]), [1.5]);
x.scatter_sub(Tensor([[0, 1]]), [1.5]); x.scatter_sub([1.5], Tensor([1.0])); x.select([1.5], x);
x.unsorted_segment_min([1.5], 1); x.where(b, [1.5])
""",
    "ranks": r"""
ops.narrow(z,0,0,1); mint.narrow(z,0,0,1); z.narrow(0,0,1); ops.chunk(z,2); mint.chunk(z,2); z.chunk(2); ops.split(z,1);
mint.split(z,1); z.split(1); ops.tensor_split(z,2); ops.hsplit(z,1); ops.hsplit(x[0],3); ops.vsplit(z,1);
ops.dsplit(x,1);
mint.select(z,0,0); z.select(0,0); ops.unbind(z); mint.unbind(z); ops.unstack(z); z.take(Tensor(0),0);
ops.index_select(z,0,Tensor([0])); ops.gather(z,Tensor(0),0); ops.flip(z,(0,)); mint.flip(z,(0,)); ops.cumsum(z,0);
ops.CumSum()(z,0); ops.repeat_interleave(z,2,0); mint.repeat_interleave(z,2,0); ops.topk(z,1);
ops.index_add(ms.Parameter(z,name='p'),Tensor([0],ms.int32),Tensor([1.]),0);
ops.tensor_scatter_elements(z,Tensor(0),z,0); mint.gather(x[0],0,Tensor(1)); ops.gather_elements(x[0],0,Tensor(1));
ops.index_fill(x,0,Tensor([0]),1.); ops.index_fill(x,0,Tensor([0],ms.int32),1.); x.index_fill(1,Tensor([0]),1.);
x[0].select(1,x[0]); x[0].select(b[0],1); x[0].select(b[0],True); i[0].select(b[0],1.5); i[0].select(b[0],1);
x[0].select(b[0],1.5); h[0].select(b[0],1.5); x[0].select(b[0],np.int64(0)); x.select(axis=0,index=1);
x[0].select(Tensor(0),Tensor(1)); mint.select(x,Tensor(0),1); mint.select(x,0,x[0]); mint.select(b,1,x);
ops.nanmean(i); ops.nanmean(b); ops.nanmean(c); i.nanmean(); ops.nanmean(i,dtype=ms.float32); ops.nansum(c);
c.nansum(); mint.nansum(c); ops.nansum(b); ops.nanmean(h);
ops.ScatterNdUpdate()(ms.Parameter(x[0],name='p'),Tensor([0],ms.int32),x[0,0]);
ops.tensor_scatter_update(x[0],Tensor([0]),x[0,0]);
ops.ScatterNdAdd()(ms.Parameter(x[0],name='p'),Tensor([0],ms.int32),x[0,0]);
ops.tensor_scatter_add(x[0],Tensor([0]),x[0,0]);
ops.tensor_scatter_sub(x,Tensor([0,1]),x[0,0]); ops.tensor_scatter_mul(x[0],Tensor([0]),x[0,0]);
ops.tensor_scatter_div(x[0],Tensor([0]),x[0,0]); ops.tensor_scatter_max(x[0],Tensor([0]),x[0,0]);
ops.tensor_scatter_min(x[0],Tensor([0]),x[0,0]); ops.scatter_nd(Tensor([0]),x[0,0],(5,));
x[0].scatter_add(Tensor([0]),x[0,0]);
ops.scatter_nd(Tensor([[0],[2]]),x[0,:2],(5,)); mint.sort(x,1); mint.sort(x,dim=1);
nn.AdaptiveMaxPool3d((1,1,2))(e[:,:,:,None]); nn.AdaptiveMaxPool3d(1)(e[None,None]); nn.AdaptiveAvgPool2d(1)(e[None]);
nn.AdaptiveMaxPool1d(1)(e);
""",
    "factors": r"""
ops.interpolate(f[None],scale_factor=2,recompute_scale_factor=True);
ops.interpolate(f[None],scale_factor=2.,recompute_scale_factor=True);
ops.interpolate(f[None],scale_factor=(2,2),recompute_scale_factor=True);
ops.interpolate(f[None],scale_factor=True,recompute_scale_factor=True);
ops.interpolate(f[None],scale_factor='2',recompute_scale_factor=True);
ops.interpolate(v,scale_factor=[1,2,1],mode='trilinear');
ops.interpolate(v,scale_factor=2,mode='trilinear');
mint.nn.functional.interpolate(v,scale_factor=[1,2,1],mode='trilinear');
mint.nn.functional.interpolate(v,scale_factor=[1.,2.,1.],mode='trilinear');
mint.nn.functional.interpolate(v,scale_factor=[1,2,1],mode='trilinear',recompute_scale_factor=True);
mint.nn.functional.interpolate(v,scale_factor=2); mint.nn.functional.interpolate(f[None],scale_factor='2');
mint.nn.functional.interpolate(v,np.int32(3)); mint.nn.functional.interpolate(f[None],3,mode='area');
mint.nn.Upsample(scale_factor=2)(v); mint.nn.Upsample(scale_factor=2.)(v);
nn.Upsample(scale_factor=2,recompute_scale_factor=True)(f[None]);
""",
}


def samples(topic: str) -> list[str]:
    """The expressions of a topic."""
    return [" ".join(part.split()) for part in TOPICS[topic].split(";") if part.strip()]
