"""Samples of every operation: expressions that the recorder evaluates under MindSpore and the tests under ms_compat.

`SETUP` makes the tensors they use; the samples of a topic are separated by ";". To add an operation, add a sample and
run `python -m tests.conformance.record ops_a` with an interpreter that has MindSpore.
"""

SETUP = """
x = Tensor(np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32))
i = Tensor([[1, 2, 3], [4, 5, -6]], ms.int32)
b = Tensor([[True, False, True], [True, True, True]])
h, d, l = x.astype(ms.float16), x.astype(ms.float64), i.astype(ms.int64)
u = Tensor([1, 2, 250], ms.uint8)
"""

TOPICS = {
    "reduce": r"""
ops.sum(b); ops.sum(i); ops.sum(u); ops.sum(h); i.sum(); b.sum(); u.sum(); ops.sum(i,0,True);
ops.sum(x,(0,1),True); ops.sum(x,dtype=ms.float64); ops.ReduceSum()(i); ops.ReduceSum()(b);
ops.ReduceSum(True)(x,1); ops.ReduceSum()(x,(0,1)); ops.ReduceSum()(x,()); ops.mean(i); ops.mean(x,1);
ops.mean(x,(0,1),True); i.mean(); b.mean(); ops.ReduceMean()(i); ops.prod(i); ops.prod(b); ops.prod(x,0);
ops.prod(x,(0,1)); ops.ReduceProd()(i); ops.max(x); ops.max(x,axis=1); ops.max(x,1,True); ops.min(x,0);
ops.max(i,1); x.max(); x.max(axis=1); x.max(1); x.max(0,True); x.max(axis=0,return_indices=True);
x.max(axis=(0,1)); ops.amax(x,1); ops.amax(i); ops.amax(x,(0,1),True); x.amax(1); ops.ReduceMax()(x,1);
ops.ReduceMax()(i); ops.max(b); ops.amax(b); ops.any(b); ops.any(x); ops.all(b,axis=1); ops.all(b,1,True);
b.all(); b.any(axis=0); x.all(); ops.ReduceAll()(b); ops.ReduceAny(True)(b,1); ops.argmax(x); ops.argmax(x,1);
ops.argmax(x,-1,True); ops.argmin(x); ops.argmin(x,1,True); ops.Argmax()(x); ops.Argmax(0,ms.int64)(x);
ops.Argmin()(x); x.argmax(); x.argmax(1); x.argmin(1); ops.ArgMaxWithValue(1)(x); ops.ArgMinWithValue(1,True)(x);
x.argmax_with_value(1); ops.std(x); ops.std(x,1); ops.std(x,1,1); ops.std(x,1,True); ops.std(x,1,False,True);
ops.var(x,1,1,True); x.std(); x.std(1); x.std(1,1); x.var(1,1); ops.std(i); i.std(); ops.std_mean(x,1);
ops.var_mean(x,0); ops.cumsum(x,0); ops.cumsum(i,1); ops.cumsum(b,1); ops.cumsum(x,0,ms.float64);
ops.cumsum(u,0); ops.CumSum()(x,0); ops.CumSum(True,True)(x,1); ops.cumprod(x,0); ops.cumprod(i,1);
ops.CumProd()(x,1); ops.cummax(x,1); ops.cummin(i,0); ops.logsumexp(x,1); ops.logsumexp(x,1,True);
ops.logsumexp(x,(0,1)); ops.logsumexp(i,1); ops.norm(x); ops.norm(x,2,1); ops.norm(x,1,0,True);
ops.norm(x,float('inf')); ops.norm(x,'fro',(0,1)); ops.norm(x[0]); ops.norm(x,2); x.norm(); ops.norm(i);
ops.median(x); ops.median(x,0); x.median(); ops.nansum(x); ops.nanmean(x,1); ops.count_nonzero(x);
ops.count_nonzero(x,1,True); ops.aminmax(x); ops.trace(x); i.trace(); x.trace(); ops.dist(x,x+1);
ops.nanmedian(x,1); ops.quantile(x,0.5,1); ops.bincount(Tensor([1,2,2],ms.int32)); ops.histc(x,3); ops.diff(x);
ops.diff(i,1,0); ops.trapz(x); ops.logcumsumexp(x,1); ops.renorm(x,2,0,1.); ops.unique(i);
ops.unique_consecutive(Tensor([1,1,2],ms.int32)); ops.unique_consecutive(Tensor([1,1,2],ms.int32),True,True);
ops.sort(x); ops.sort(x,0,True); ops.sort(i); ops.argsort(x); ops.argsort(x,0,True); ops.topk(x,2);
ops.topk(x,1,0); ops.topk(x,2,1,False); ops.topk(x,2,None,True,False); ops.TopK()(x,2); x.topk(2); x.sort();
x.sort(0,True); ops.Sort()(x); ops.Sort(0,True)(x); ops.msort(x);
ops.searchsorted(Tensor([1.,2,3]),Tensor([2.,0.5]));
ops.searchsorted(Tensor([1.,2,3]),Tensor([2.,0.5]),right=True);
ops.searchsorted(Tensor([1.,2,3]),Tensor([2.,0.5]),out_int32=True); ops.bucketize(x,[1.,2.]); ops.nonzero(x);
ops.nonzero(b,as_tuple=True); ops.argwhere(i); ops.masked_select(x,b);
""",
    "math": r"""
ops.matmul(x,x.T); ops.matmul(i,i.T); ops.matmul(h,x.T); ops.matmul(x[0],x[0]); ops.matmul(x,x[0]);
ops.matmul(b,b.T); ops.MatMul()(x,x.T); ops.MatMul(False,True)(x,x); ops.MatMul(True)(x,x); ops.MatMul()(x,x);
ops.MatMul()(i,i.T); ops.BatchMatMul()(x[None],x.T[None]); ops.bmm(x[None],x.T[None]); ops.mm(x,x.T);
ops.mm(x,x); x@x.T; x@x; x@3; ops.dot(x,x.T); ops.dot(x[0],x[0]); ops.outer(x[0],x[0]); ops.ger(x[0],x[0]);
ops.mv(x,x[0]); ops.inner(x,x); ops.tensor_dot(x,x,((1,),(1,))); ops.tensor_dot(x,x.T,1);
ops.einsum("ij,kj->ik",x,x); ops.addmm(Tensor(np.ones((2,2),np.float32)),x,x.T);
ops.baddbmm(Tensor(np.ones((1,2,2),np.float32)),x[None],x.T[None]); ops.addmv(Tensor([1.,1.]),x,x[0]);
ops.addbmm(Tensor(np.ones((2,2),np.float32)),x[None],x.T[None]); ops.kron(x,x[0]); ops.cross(x,x+1);
ops.vecdot(x,x); ops.det(x@x.T); ops.inverse(x@x.T); ops.matrix_power(x@x.T,2); ops.pinv(x); ops.cholesky(x@x.T);
ops.svd(x)[0]; ops.qr(x)[0].shape; ops.slogdet(x@x.T); ops.logdet(x@x.T); ops.t(x); ops.adjoint(x); ops.exp(i);
ops.log(i); ops.sqrt(i); ops.rsqrt(i); ops.square(i); ops.square(u); ops.sign(i); ops.sign(b); ops.floor(i);
ops.floor(x); ops.ceil(i); ops.round(x); ops.round(x,decimals=1); ops.round(i); ops.trunc(x); ops.trunc(i);
ops.sin(i); ops.cos(i); ops.tan(i); ops.asin(x/10); ops.asin(i); ops.acos(i); ops.atan(i); ops.sinh(i);
ops.cosh(i); ops.tanh(i); ops.asinh(i); ops.acosh(x+10); ops.atanh(x/10); ops.atan2(x,x); ops.atan2(i,i);
ops.erf(i); ops.erf(x); ops.erfc(x); ops.erfinv(x/10); ops.reciprocal(x); ops.reciprocal(i); ops.log2(x*x);
ops.log10(x*x); ops.log1p(x*x); ops.log1p(i); ops.expm1(x); ops.expm1(i); ops.exp2(x); ops.abs(i); ops.abs(u);
ops.abs(b); ops.neg(b); ops.neg(u); ops.neg(i); ops.lgamma(x); ops.digamma(x); ops.exp(b); ops.exp(h);
ops.isnan(x); ops.isnan(i); ops.isinf(x); ops.isinf(i); ops.isfinite(x); ops.isfinite(i); ops.isneginf(x);
ops.isposinf(x); ops.isreal(x); ops.is_complex(x); ops.is_floating_point(i); ops.signbit(x); ops.frac(x);
ops.sinc(x); ops.logit(x/10); ops.deg2rad(x); ops.rad2deg(x); ops.xlogy(x*x,x*x); ops.hypot(x,x);
ops.heaviside(x,x); ops.logaddexp(x,x); ops.logaddexp2(x,x); ops.float_power(i,i); ops.float_power(x,2);
ops.fmod(x,2); ops.fmod(i,2); ops.remainder(x,2); ops.remainder(x,-2); ops.remainder(i,-2); ops.gcd(i,i*2);
ops.lcm(i,i*2); ops.ldexp(x,i); ops.lerp(x,x+1,0.5); ops.lerp(x,x+1,x); ops.addcmul(x,x,x,0.5);
ops.addcdiv(x,x,x,0.5); ops.nan_to_num(x/0); ops.copysign(x,-x); ops.nextafter(x,x+1); ops.clamp(x,-1,2);
ops.clamp(i,0,2.5); ops.clamp(x,None,2); ops.clamp(x,Tensor(0.),Tensor(2.)); ops.clamp(i,0,3);
ops.clip_by_value(x,0,2); ops.clip_by_value(x,Tensor(0.),Tensor(2.)); ops.clip_by_value(i,0,2.5);
ops.clamp(x,3,1); ops.clip(x,0.,1.); ops.maximum(x,i); ops.maximum(x,1); ops.minimum(i,2.5); ops.minimum(i,l);
ops.maximum(b,b); ops.fmax(x,x); ops.fmin(x,x); ops.bitwise_and(i,3); ops.bitwise_or(i,i); ops.bitwise_xor(i,b);
ops.invert(i); ops.bitwise_left_shift(i,1); ops.bitwise_right_shift(i,1); ops.logical_and(x,i);
ops.logical_and(b,b); ops.logical_not(x); ops.logical_not(i); ops.logical_or(b,True); ops.logical_xor(b,b);
ops.logical_xor(x,i); ops.equal(x,x); ops.equal(x,1.5); ops.eq(x,i); ops.ne(x,x); ops.not_equal(x,1);
ops.greater(x,i); ops.gt(1,x); ops.less(x,1); ops.le(x,x); ops.ge(x,1); ops.isclose(x,x); ops.isclose(i,i);
ops.approximate_equal(x,x); x.allclose(x); ops.add(1,2); ops.add(x,1); ops.add(b,b); ops.div(i,i);
ops.div(x,2,rounding_mode='floor'); ops.div(x,2,rounding_mode='trunc'); ops.div(i,2,rounding_mode='floor');
ops.div(i,2,rounding_mode='trunc'); ops.floor_div(x,2); ops.floor_div(i,2); ops.floor_divide(i,-2);
ops.floor_mod(i,-2); ops.Mod()(x,Tensor(2.)); ops.Mod()(i,Tensor(-4,ms.int32));
ops.FloorMod()(i,Tensor(-4,ms.int32)); ops.truncate_div(i,-4); ops.truncate_mod(i,-4);
ops.TruncateDiv()(x,Tensor(2.)); ops.pow(x,2); ops.pow(i,2); ops.pow(2,x); ops.pow(i,0.5); ops.pow(i,i);
ops.Pow()(x,2.0); ops.subtract(x,1,alpha=2); ops.addn([x,x]); ops.AddN()([x,i]); ops.AddN()((x,x));
ops.RealDiv()(i,i); ops.RealDiv()(x,2); ops.Div()(i,i); ops.DivNoNan()(x,x*0); ops.SquaredDifference()(x,i);
ops.MulNoNan()(x,x); ops.Xdivy()(x,x); ops.Inv()(x); ops.Rint()(x); ops.mul(x,2); ops.mul(i,2.5); ops.sub(x,i);
ops.sub(1,2); ops.mul(2,3);
""",
    "array": r"""
ops.reshape(x,(3,2)); ops.reshape(x,(-1,)); ops.reshape(x,[6]); ops.reshape(x,(4,)); x.reshape(3,2);
x.reshape((3,-1)); x.view(3,2); x.view((6,)); ops.Reshape()(x,(3,2)); ops.transpose(x,(1,0));
ops.transpose(x,(0,)); x.transpose(); x.transpose(1,0); x.transpose((1,0)); ops.Transpose()(x,(1,0));
ops.permute(x,(1,0)); x.permute(1,0); ops.swapaxes(x,0,1); ops.squeeze(x[None]); ops.squeeze(x[None],0);
ops.squeeze(x,0); ops.squeeze(x[None],(0,)); ops.Squeeze(0)(x[None]); ops.Squeeze(0)(x); x.squeeze();
x.squeeze(0); ops.expand_dims(x,0); ops.expand_dims(x,5); ops.unsqueeze(x,-1); ops.ExpandDims()(x,1);
ops.flatten(x[None]); ops.flatten(x[None],start_dim=0); ops.flatten(x,order='F'); x.flatten();
ops.Flatten()(x[None]); ops.broadcast_to(x,(2,2,3)); ops.broadcast_to(x[:1],(2,-1)); ops.BroadcastTo((2,2,3))(x);
ops.tile(x,(1,2)); ops.tile(x,(2,1,1)); ops.Tile()(x,(1,2)); x.tile((2,)); ops.repeat_interleave(x,2,0);
ops.repeat_interleave(x,2); ops.repeat_interleave(x,Tensor([1,2]),0); ops.repeat_elements(x,2,1); x.repeat(2);
x.repeat(2,1); x.repeat_interleave(2,1); ops.concat((x,x),0); ops.cat([x,i],1); ops.concat((x,x),axis=-1);
ops.Concat(1)((x,x)); ops.Concat(1)([x,i]); ops.concat((x,h)); ops.concat((x,x[0])); ops.stack((x,x),1);
ops.stack([x,i]); ops.Stack(0)((x,x)); ops.unstack(x); ops.unstack(x,1); ops.Unstack(1)(x); ops.unbind(x,1);
ops.split(x,1); ops.split(x,2,1); ops.split(x,(1,2),1); ops.Split(1,3)(x); ops.Split(1,2)(x); ops.chunk(x,2,1);
ops.tensor_split(x,2,1); ops.tensor_split(x,(1,),1); ops.hsplit(x,3); ops.vsplit(x,2); x.split(1);
ops.gather(x,Tensor([1,0]),0); ops.gather(x,Tensor([[1,0]]),1); ops.gather(x,1,0); ops.gather(x,Tensor(1),0);
ops.Gather()(x,Tensor([0,2]),1); ops.gather(x,Tensor([5]),0); ops.gather(x,Tensor([-1]),0);
ops.gather_d(x,1,Tensor([[0,2],[1,1]])); ops.gather_elements(x,0,Tensor([[0,1,0]]));
ops.GatherD()(x,1,Tensor([[0],[1]])); x.gather_elements(1,Tensor([[0],[1]]));
ops.gather_nd(x,Tensor([[0,1],[1,2]])); ops.GatherNd()(x,Tensor([[0],[1]])); ops.index_select(x,1,Tensor([0,2]));
x.index_select(0,Tensor([1])); x.take(Tensor([0,5])); x.take(Tensor([0]),1); ops.where(b,x,0.); ops.where(b,x,i);
ops.where(b,1,2); ops.where(b,1.,2); ops.where(x>0,x,x); ops.select(b,x,x); ops.select(b,x,1.0);
ops.select(b,1,2); ops.select(b,i,2); ops.select(b,x,2); ops.Select()(b,x,x); ops.select(b,x,i);
ops.masked_fill(x,b,0.); ops.masked_fill(x,b,1); ops.masked_fill(i,b,1.5); ops.masked_fill(x,b,Tensor(2.));
x.masked_fill(b,2); ops.MaskedFill()(x,b,Tensor(1.)); ops.scatter(x,1,Tensor([[0],[1]]),Tensor([[9.],[8.]]));
ops.tensor_scatter_update(x,Tensor([[0,0],[1,1]]),Tensor([9.,8.]));
ops.tensor_scatter_add(x,Tensor([[0],[0]]),Tensor(np.ones((2,3),np.float32)));
ops.tensor_scatter_sub(x,Tensor([[0,0]]),Tensor([1.])); ops.tensor_scatter_mul(x,Tensor([[0,0]]),Tensor([3.]));
ops.tensor_scatter_max(x,Tensor([[0,0]]),Tensor([3.]));
ops.tensor_scatter_elements(x,Tensor([[0,1]]),Tensor([[7.,7.]]),0,'add');
ops.ScatterNd()(Tensor([[0],[0]]),Tensor([1.,2.]),(4,));
ops.tensor_scatter_update(x,Tensor([[5,0]]),Tensor([1.]));
ops.tensor_scatter_update(x,Tensor([[0,0]]),Tensor([1],ms.int32)); ops.index_fill(x,1,Tensor([0],ms.int32),5.);
x.index_fill(1,Tensor([0],ms.int32),5.); x.scatter(1,Tensor([[0],[1]]),Tensor([[9.],[8.]])); ops.flip(x,(0,));
ops.flip(x,(0,1)); ops.ReverseV2([1])(x); ops.fliplr(x); ops.roll(x,1); ops.roll(x,1,0); ops.roll(x,(1,1),(0,1));
ops.Roll(1,0)(x); ops.rot90(x,1,(0,1)); ops.tril(x); ops.triu(x,1); ops.Tril()(x); ops.tril(b); ops.diag(x[0]);
ops.diag(x); ops.diagonal(x); ops.diagonal(x,1); ops.diag_embed(x); ops.eye(2); ops.eye(2,3);
ops.eye(2,3,ms.int32); ops.Eye()(2,2,ms.float32); ops.meshgrid(Tensor([1,2]),Tensor([3,4,5]));
ops.meshgrid(Tensor([1,2]),Tensor([3,4,5]),indexing='ij'); ops.Meshgrid('ij')((Tensor([1,2]),Tensor([3,4])));
ops.pad(x,(1,1)); ops.pad(x,(1,1,1,0),value=2.); ops.pad(x,(1,1),mode='reflect');
ops.pad(x[None],(1,1),mode='replicate'); ops.pad(x[None],(1,1),mode='circular'); ops.pad(x,(-1,1));
ops.pad(x,Tensor([1,1])); ops.Pad(((0,1),(1,0)))(x); ops.pad(i,(1,1));
ops.MirrorPad('REFLECT')(x,Tensor([[0,0],[1,1]])); ops.MirrorPad('SYMMETRIC')(x,Tensor([[0,0],[1,1]]));
ops.slice(x,(0,1),(2,2)); ops.Slice()(x,(0,1),(1,2)); ops.slice(x,(0,1),(2,5));
ops.strided_slice(x,(0,0),(2,3),(1,2)); ops.strided_slice(x,(0,0),(1,3),(1,1),shrink_axis_mask=1);
ops.StridedSlice(begin_mask=1)(x,(1,0),(2,3),(1,1)); ops.strided_slice(x,(0,-1),(2,-4),(1,-1)); ops.zeros((2,3));
ops.zeros(2); ops.zeros((2,),ms.int32); ops.ones((2,)); ops.ones((),ms.float16); ops.Zeros()((2,),ms.float32);
ops.Zeros()(2,ms.int32); ops.full((2,),3); ops.full((2,),3.); ops.full((2,),True);
ops.full((2,),3,dtype=ms.float16); ops.fill(ms.float32,(2,),1); ops.fill(ms.int32,(2,),1.7);
ops.Fill()(ms.float32,(2,),1); ops.arange(3); ops.arange(1,3); ops.arange(1.,3.); ops.arange(0,1,0.25);
ops.arange(0,5,2,dtype=ms.float32); ops.arange(3.); ops.range(0,5,2); ops.range(Tensor(0),Tensor(5),Tensor(2));
ops.linspace(0,1,5); ops.linspace(0.,1.,3); ops.linspace(Tensor(0.),Tensor(1.),3);
ops.LinSpace()(Tensor(0.),Tensor(1.),3); ops.zeros_like(x); ops.zeros_like(i,dtype=ms.float32); ops.ones_like(b);
ops.full_like(x,3); ops.full_like(i,2.5); ops.ZerosLike()(x); ops.cast(x,ms.int32); ops.cast(1,ms.float32);
ops.Cast()(x,ms.bool_); ops.cast(Tensor([1.9,-1.9]),ms.int32); ops.cast(Tensor([300.,-1.]),ms.uint8);
x.astype(np.float64); x.to(ms.int32); x.astype(bool); ops.shape(x); ops.Shape()(x); ops.rank(x); ops.Rank()(x);
ops.size(x); ops.Size()(x); ops.dtype(x); ops.DType()(x); ops.is_tensor(x); ops.numel(x); ops.stop_gradient(x);
ops.depend(x,i); ops.Identity()(x); ops.type_as(i,x); ops.scalar_to_tensor(1); ops.scalar_to_tensor(1,ms.int32);
ops.scalar_cast(1.5,ms.int64); ops.tuple_to_array((1,2,3)); ops.tuple_to_array((1.,2.)); ops.hstack((x,x));
ops.vstack((x,x)); ops.dstack((x,x)); ops.column_stack((x[0],x[0])); ops.atleast_2d(x[0]); ops.movedim(x,0,1);
ops.narrow(x,1,0,2); ops.tril_indices(2,3); ops.triu_indices(2,3); ops.block_diag(x,x);
ops.unsorted_segment_sum(x,Tensor([0,0]),2); ops.unsorted_segment_max(x,Tensor([0,1]),3);
ops.sequence_mask(Tensor([1,3]),4); ops.cdist(x,x); ops.population_count(i.astype(ms.int16));
ops.view_as_real(ops.Complex()(x,x)); ops.Complex()(x,x); ops.real(ops.Complex()(x,x)); ops.conj(x);
ops.angle(x); ops.polar(x,x); ops.vander(x[0]); ops.combinations(x[0]); ops.cartesian_prod(x[0],x[1]);
ops.ravel(x); ops.select_scatter(x,x[0],0,1); ops.slice_scatter(x,x[:,:1],1,1,2);
ops.diagonal_scatter(x,Tensor([0.,0.])); ops.inplace_update(x,x[0],0); ops.inplace_add(x,x[:1],0);
ops.matrix_band_part(x,0,1); ops.sgn(x); ops.positive(x); ops.threshold(x,1.,0.); ops.L2Normalize(1)(x);
""",
    "primitive": r"""
ops.full((2,),3.5); ops.full((2,),2.5,dtype=ms.int32); ops.MatMul(); repr(ops.MatMul(True));
ops.MatMul(True).name; ops.MatMul(True).transpose_a; ops.ReduceSum(True).keep_dims; repr(ops.ReduceSum(True));
ops.Concat(1).axis; repr(ops.Concat(1)); repr(ops.Add()); str(ops.Cast()); ops.Add().attrs; ops.Concat(1).attrs;
ops.MatMul(1); ops.ReduceSum(1); ops.Concat('a'); ops.Concat(axis=1)((x,x)); ops.Squeeze('a'); ops.Add(1);
ops.Split(0.5,2); ops.Transpose()(x,1); ops.Cast()(x,1); ops.Cast()(x,'float32'); ops.Cast()(1,ms.float32);
ops.Cast()(True,ms.float32); ops.Add()(x,x).shape; ops.Add().add_prim_attr("k",1); ops.Add().set_device("CPU");
ops.Add()(x); ops.Add()(x,x,x); ops.Add()(x,'a'); x+'a'; x+None; x==None; x=='a'; x!=None; x<None; x<'a'; x-'a';
x*'a'; x/None; [1,2]+Tensor([1,2]); Tensor([1,2])+[1,2]; Tensor([1,2])+(1,2); Tensor([1,2])*[1,2];
Tensor([1,2])==[1,2]; Tensor([1,2])<[1,3]; Tensor([1,2])+np.array([1,2]); Tensor([1,2])+np.float32(1);
np.float64(1)*Tensor([1,2]); np.array([1,2])*Tensor([1.,2.]); x&1; i&1; i&b; ~b; ~i; ~x; i<<1; -x; +x; abs(x);
x//0; i//0; i%0; x%0; i%2; -i%2; 2**i; i**-1; x**2; i**2; 2.0**i; x**i; b+b; b*b; b-b; b/b; b*2; b+1; b//b; b%b;
b&b; b|b; b^b; b&True; b|1; i|True; 1|i; 1&i; x>1; 1<x; x>=i; b>b; b==1; x==1.5; x==i; i==1.5; -b; x@x[0];
pow(x,2);
""",
    "method": r"""
x.T; x.mT; x.H; x.ndim; x.dim(); x.ndimension(); x.size; x.numel(); x.nelement(); x.stride(); x.is_signed();
x.is_floating_point(); x.is_complex(); x.type(); x.type(ms.float16); x.type_as(i); x.float(); i.float();
x.half(); x.int(); x.long(); x.double(); x.bool(); x.byte(); x.short(); x.bfloat16(); x.copy(); x.contiguous();
x.item(); x[0,0].item(); x.fill(3.); x.fills(2.); x.fill_diagonal(9.); x.masked_fill(b,0); x.expand_as(x);
x.expand(2,2,3); x.expand((2,2,3)); x.broadcast_to((2,2,3)); x.view_as(x); x.reshape_as(x); x.resize(2,2);
x.swapaxes(0,1); x.ptp(); x.ptp(1); x.inv(); x.new_zeros((2,)); x.new_ones(2); x.new_full((2,),3.);
x.to(ms.float16); x.to('float16'); x.to(ms.int32,copy=True); x.to(i); x.astype('int'); x.astype(int);
x.astype(float); x.astype('abc'); x.var(); x.var(0); x.var(axis=0,ddof=1); x.var(1,keepdims=True); x.var(dim=1);
x.std(dim=1); x.std(axis=0,ddof=0,keepdims=True); x.std(dim=1,keepdim=True,correction=0); x.sum(0);
x.sum(axis=1,keepdims=True); x.sum(dim=1); x.sum(dim=1,keepdim=True,dtype=ms.float64);
x.sum(axis=0,dtype=ms.float64); x.sum(axis=1,initial=10); x.sum((0,1)); x.sum(None,ms.float64);
x.sum(0,ms.float64); x.sum(0,True); x.mean(0); x.mean(0,True); x.mean(axis=0,keep_dims=True);
x.mean(dim=0,keepdim=True); x.mean((0,1)); x.mean(axis=()); x.prod(0); x.prod(); x.prod(0,True);
x.prod(axis=0,keep_dims=True); x.prod(dim=0,keepdim=True); x.min(); x.min(1); x.min(axis=1);
x.max(axis=1,keepdims=True); x.max(dim=1,keepdim=True); x.max(i); x.all(0); x.all(axis=0,keep_dims=True);
x.any(dim=1,keepdim=True); x.argmax(axis=1); x.argmax(dim=1,keepdim=True); x.argmin(axis=1,keepdims=True);
x.argmin(dim=1); x.argsort(); x.argsort(0,True); x.argsort(axis=1); x.argsort(dim=1); x.sort(axis=0);
x.sort(dim=0); x.sort(0); x.topk(1,0); x.topk(1,dim=0); x.topk(1,1,True,True); x.cumsum(0);
x.cumsum(axis=0,dtype=ms.float64); x.cumsum(dim=0); x.cumprod(0); x.repeat_interleave(2); x.split(1,1);
x.split((1,2),dim=1); x.split((1,2),axis=1); x.split(split_size_or_sections=1,axis=0); x.chunk(2,1);
x.chunk(2,dim=1); x.chunk(2,axis=1); x.unbind(); x.select(0,1); x.select(b,x); x.select(b,0.); x.where(b,0.);
x.gather(Tensor([0]),0); x.gather(1,Tensor([[0],[1]])); x.gather(input_indices=Tensor([0]),axis=0);
x.index_select(axis=0,index=Tensor([0])); x.index_select(dim=0,index=Tensor([0])); x.squeeze(axis=0);
x.squeeze(dim=0); x.transpose(0,1); x.transpose([1,0]); x.transpose(dim0=0,dim1=1); x.permute((1,0));
x.flatten(start_dim=0); x.flatten(order='F'); x.tile((1,2)); x.tile(1,2); x.tile(reps=(1,2)); x.roll(1,0);
x.flip(0); x.flip((0,1)); x.clip(0,1); x.clamp(min=0); x.clip(xmin=0,xmax=1); x.pow(2); x.div(2);
x.div(2,rounding_mode='floor'); x.divide(2); x.true_divide(2); x.sub(1,alpha=2); x.subtract(1); x.add(1,alpha=2);
x.mul(2); x.matmul(x.T); x.mm(x.T); x.dot(x.T); x[0].dot(x[0]); x.norm(2); x.norm(ord=2,dim=1); x.isclose(x);
x.equal(x); x.eq(1); x.ne(i); x.gt(0); x.logical_and(b); x.logical_not(); b.logical_or(b); x.maximum(i);
x.minimum(1); x.scatter_add(0,Tensor([[0,0,0]]),x[:1]); x.tril(1); x.triu(diagonal=1); x.diag(); x.diagonal();
x.nonzero(); x.nonzero(as_tuple=True); x.unique(); x.unsqueeze(0); x.unsqueeze(dim=1); x.expand_dims(-1);
x.narrow(1,0,1); x.addcmul(x,x); x.lerp(x+1,0.5); x.nan_to_num(); x.count_nonzero(); x.count_nonzero(axis=1);
x.nansum(); x.median(0); x.logsumexp(0); x.round(); x.floor_divide(2); x.remainder(2); x.fmod(2);
x.storage_offset(); x.tolist(); x.take(Tensor([0]),0); x.has_init;
""",
    "refusal": r"""
ops.AssignAdd()(p,x); ops.Assign()(p,x); ops.InplaceUpdate((0,))(x,Tensor([[1.,1,1]]));
ops.inplace_add(x,x[:1],[0]); ops.inplace_sub(x,x[:1],0); ops.gather(x,Tensor([0.5]),0);
ops.gather(x,Tensor([0]),5); ops.gather_d(x,1,Tensor([[5],[0]])); ops.gather_nd(x,Tensor([[5,0]]));
ops.gather_nd(x,Tensor([[-1,0]])); ops.index_select(x,0,Tensor([5]));
ops.gather_elements(x,0,Tensor([[-1,0,0]])); ops.tensor_scatter_update(x,Tensor([[-1,0]]),Tensor([1.]));
ops.cummin(x,1); ops.cummax(i,1); ops.sum(x,5); ops.sum(x,1.5); ops.mean(x,5); ops.argmax(x,5); ops.max(x,5);
ops.cumsum(x,5); ops.transpose(x,(0,0)); ops.transpose(x,(0,5)); ops.squeeze(x,5); ops.concat(x); ops.concat(());
ops.concat((x,x),5); ops.stack((x,x[0])); ops.stack((x,x),5); ops.split(x,5); ops.split(x,(1,2)); ops.split(x,0);
ops.broadcast_to(x,(3,3)); ops.tile(x,2); ops.tile(x,(-1,1)); ops.repeat_interleave(x,-1); ops.topk(x,9);
ops.matmul(x,x); ops.matmul(x,1.); ops.eye(-1); ops.zeros((-1,)); ops.zeros('a'); ops.ones((2,),'float32');
ops.arange(5,0); ops.arange(0,5,0); ops.linspace(0,1,0); ops.where(x,1.,2.); ops.where(b,x,Tensor([1.,2.]));
ops.select(x,x,x); ops.masked_fill(x,x,1.); ops.masked_fill(x,b[0],1.); ops.masked_select(x,x);
ops.masked_select(x,b[0]); ops.nonzero(Tensor(0.)); ops.meshgrid(x,x); ops.flip(x,(5,)); ops.flip(x,0);
ops.tril(x[0]); ops.pad(x,(1,)); ops.pad(x,(1,1,1,1,1,1)); ops.pad(x,(5,5),mode='reflect');
ops.pad(x,(1,1),mode='abc'); ops.cast(x,'float32'); ops.cast(x,float); ops.cast(x,None); ops.clamp(x);
ops.clip_by_value(x); ops.expand_dims(x,1.5); ops.reshape(x,6.); ops.reshape(x,6); ops.reshape(x,(-1,-1));
ops.reshape(x,(-1,4)); ops.reshape(x,('a',)); ops.exp('a'); ops.exp(1.0); ops.exp(None); ops.abs(-1);
ops.sqrt(4); ops.sin(1.0); ops.add('a',1); ops.maximum(1,2); ops.equal(1,1); ops.less(1,2);
ops.logical_and(True,False); ops.bitwise_and(x,x); ops.neg(1); ops.pow(2,3); ops.isnan(1.0); ops.square(3);
ops.floor(1.5); ops.isclose(x,1.0); ops.lerp(x,x,1); ops.addn([]); ops.unique(x); ops.sort(x,5);
ops.argsort(Tensor(1.)); ops.trace(x[0]); ops.diag(Tensor(1.)); ops.einsum('ij->ji',x);
""",
    "mint": r"""
mint.full((2,),3.5); mint.full((2,),3); mint.sum(b); mint.sum(x,1); mint.sum(x,dim=1,keepdim=True);
mint.mean(x,1); mint.mean(i); mint.max(x); mint.max(x,1); mint.max(x,x+1); mint.min(x,1); mint.argmax(x);
mint.argmin(x,1); mint.any(b,1); mint.all(b); mint.std(x); mint.var(x); mint.std(x,1,correction=0);
mint.var_mean(x,1); mint.prod(x,1); mint.cumsum(x,0); mint.cumsum(i,0); mint.topk(x,2); mint.sort(x);
mint.argsort(x); mint.matmul(x,x.T); mint.zeros((2,)); mint.zeros(2,3); mint.zeros(2,3,dtype=ms.int32);
mint.ones(2); mint.arange(3); mint.arange(0,1,0.5); mint.linspace(0,1,3); mint.eye(2); mint.div(x,2);
mint.div(i,2); mint.floor_divide(i,2); mint.remainder(x,2); mint.fmod(x,2); mint.pow(x,2); mint.clamp(x,0,1);
mint.where(b,x,0.); mint.where(b); mint.nonzero(b); mint.nonzero(b,as_tuple=True);
mint.gather(x,1,Tensor([[0],[1]])); mint.scatter(x,1,Tensor([[0],[1]]),x[:,:1]);
mint.scatter_add(x,1,Tensor([[0],[1]]),x[:,:1]); mint.index_select(x,0,Tensor([1])); mint.cat((x,x),1);
mint.stack((x,x),1); mint.split(x,1,1); mint.chunk(x,2,1); mint.tile(x,(1,2)); mint.transpose(x,0,1);
mint.permute(x,(1,0)); mint.squeeze(x,0); mint.unsqueeze(x,0); mint.flatten(x); mint.reshape(x,(3,2));
mint.broadcast_to(x,(1,2,3)); mint.flip(x,(0,)); mint.roll(x,1,0); mint.tril(x); mint.masked_select(x,b);
mint.unique(i); mint.repeat_interleave(x,2); mint.isclose(x,x); mint.allclose(x,x); mint.equal(x,x);
mint.eq(x,x); mint.norm(x); mint.norm(x,2,1); mint.logsumexp(x,1); mint.einsum('ij->ji',x);
mint.meshgrid(Tensor([1,2]),Tensor([3,4])); mint.median(x); mint.median(x,1); mint.add(x,1,alpha=2);
mint.sub(x,1,alpha=2); mint.exp(i); mint.sqrt(i); mint.log(i); mint.erf(x); mint.sinc(x); mint.trunc(x);
mint.round(x,decimals=1); mint.sign(x); mint.isfinite(x); mint.maximum(x,x); mint.bmm(x[None],x.T[None]);
mint.mm(x,x.T); mint.addmm(mint.eye(2),x,x.T); mint.dot(x[0],x[0]); mint.outer(x[0],x[0]); mint.trace(x);
mint.diag(x[0]); mint.bincount(Tensor([1,2])); mint.histc(x,3); mint.cross(x,x); mint.narrow(x,1,0,2);
mint.select(x,0,1); mint.take(x,Tensor([0])); mint.cummax(x,1); mint.count_nonzero(x); mint.amax(x,1);
mint.inverse(x@x.T); mint.zeros_like(x); mint.full_like(x,2); mint.linspace(0,1,3,dtype=ms.float64);
mint.logical_and(b,b); mint.searchsorted(Tensor([1.,2]),Tensor([1.5])); mint.isinf(i); mint.float_power(x,2);
mint.fix(x); mint.t(x); mint.vdot(x[0],x[0]); mint.lerp(x,x,0.5); mint.special.exp2(x); mint.special.erfc(x);
""",
    "numpy": r"""
mnp.array([1,2]); mnp.array([1.,2]); mnp.array(2); mnp.array([1,2],mnp.float32); mnp.array([True]);
mnp.arange(3); mnp.arange(3.); mnp.arange(0,1,0.25); mnp.zeros((2,)); mnp.ones((2,),mnp.int32); mnp.full((2,),3);
mnp.full((2,),3.5); mnp.full((2,),3,mnp.float16); mnp.eye(2); mnp.identity(2); mnp.linspace(0,1,3); mnp.sum(x);
mnp.sum(i); mnp.sum(b); mnp.sum(x,axis=1,keepdims=True,dtype=mnp.float64); mnp.mean(i); mnp.mean(x,1);
mnp.mean(i,dtype=mnp.float32); mnp.max(x); mnp.max(x,1); mnp.amin(x,0); mnp.argmax(x); mnp.argmax(x,1);
mnp.std(x); mnp.var(x,1,1); mnp.std(i); mnp.add(1,2); mnp.add(i,1.5); mnp.add(i,x,dtype=mnp.float64);
mnp.divide(i,2); mnp.true_divide(x,2); mnp.floor_divide(i,2); mnp.mod(i,4); mnp.fmod(i,4); mnp.power(i,2);
mnp.sqrt(i); mnp.exp(i); mnp.sin(i); mnp.log(x*x); mnp.abs(i); mnp.square(i); mnp.sign(i); mnp.floor(x);
mnp.rint(x); mnp.around(x,1); mnp.clip(x,0,1); mnp.where(b,x,0); mnp.where(b,1,2); mnp.concatenate((x,x));
mnp.concatenate((x,i)); mnp.stack((x,x)); mnp.vstack((x,x)); mnp.hstack((x,x)); mnp.split(x,3,1);
mnp.array_split(x,2,1); mnp.tile(x,(1,2)); mnp.repeat(x,2,1); mnp.reshape(x,(3,2)); mnp.transpose(x);
mnp.swapaxes(x,0,1); mnp.expand_dims(x,0); mnp.squeeze(x[None]); mnp.ravel(x); mnp.broadcast_to(x,(2,2,3));
mnp.flip(x,0); mnp.flip(x); mnp.roll(x,1); mnp.roll(x,1,0); mnp.dot(x,x.T); mnp.dot(x[0],x[0]);
mnp.matmul(x,x.T); mnp.tensordot(x,x.T,1); mnp.outer(x[0],x[0]); mnp.inner(x,x); mnp.cumsum(x); mnp.cumsum(x,0);
mnp.cumprod(x,0); mnp.tril(x); mnp.diag(x[0]); mnp.diagonal(x); mnp.trace(x);
mnp.meshgrid(mnp.arange(2),mnp.arange(3)); mnp.unique(i); mnp.take(x,Tensor([0]),1);
mnp.take_along_axis(x,Tensor([[0],[1]]),1); mnp.equal(x,x); mnp.less(i,2); mnp.logical_and(b,b); mnp.isnan(x);
mnp.maximum(x,i); mnp.ones_like(i); mnp.zeros_like(x,mnp.int32); mnp.full_like(i,2.5); mnp.asarray([1,2]);
mnp.asfarray([1,2]); mnp.copy(x); mnp.size(x); mnp.size(x,1); mnp.count_nonzero(x); mnp.empty((2,)).dtype;
mnp.norm(x); mnp.average(x); mnp.ptp(x); mnp.diff(x); mnp.nansum(x); mnp.histogram(x,3);
mnp.bincount(Tensor([1,2])); mnp.cross(x,x); mnp.result_type('f4','i4'); mnp.pad(x,1); mnp.isclose(x,x);
mnp.array_equal(x,x); mnp.geomspace(1,4,3); mnp.tri(2); mnp.hanning(3);
mnp.interp(mnp.array([1.5]),mnp.array([1.,2.]),mnp.array([3.,4.]));
mnp.searchsorted(Tensor([1.,2]),Tensor([1.5])); mnp.heaviside(x,x); mnp.cov(x);
mnp.polyval(mnp.array([1.,2.]),x); mnp.select([b],[x]); mnp.indices((2,2)); mnp.mgrid[0:2,0:2]; mnp.kron(x,x[0]);
mnp.rot90(x); mnp.moveaxis(x,0,1); mnp.digitize(x,mnp.array([0.,1.])); mnp.gradient(x); mnp.trapz(x);
mnp.unravel_index(Tensor([1,2]),(2,3)); mnp.vander(x[0]); mnp.in1d(i,i); mnp.isin(i,i); mnp.sometrue(b);
mnp.hypot(x,x); mnp.multi_dot((x,x.T)); mnp.atleast_2d(x[0]); mnp.append(x,x); mnp.intersect1d(i,i);
mnp.setdiff1d(i,i);
""",
}


def samples(topic: str) -> list[str]:
    """The expressions of a topic."""
    return [e.strip() for line in TOPICS[topic].splitlines() for e in line.split(";") if e.strip()]
