"""Samples of rarer operations, in the form of `samples.py`: counting, matrices, scalars, in place, passing on.

To add an operation, add a sample and run `python -m tests.conformance.record ops_counting` with an interpreter that has MindSpore.
"""
# ruff: noqa: E501 - one operation's samples a line

from tests.ops import samples as first

SETUP = (
    first.SETUP
    + """
m = Tensor(np.array([[4, 1, 2], [1, 3, 0.5], [0, -1, 2]], np.float32))
P = lambda v, t=ms.float32: Parameter(Tensor(np.array(v), t))
I = lambda *v: Tensor(v, ms.int32)
g = Tensor(np.arange(12).reshape(2, 3, 2) * 0.1 - 0.4, ms.float32)
initializer = ms.common.initializer.initializer

def factor(shape, rows, columns, flags, gradient, *norm):
    states = [P(np.arange(np.prod(shape)).reshape(shape)), P(np.ones(shape)), P(np.ones(rows)), P(np.ones(columns)), P(np.ones(shape))]
    op = (ops.FusedAdaFactorWithGlobalNorm if norm else ops.FusedAdaFactor)(*flags)
    op((1e-30, 1e-3), 0.5, 0.9, 0.8, 0.1, 0.03, gradient, *states, *norm)
    return [s.asnumpy() for s in states]

def cast_adam(norm):
    states = [P(np.ones((2, 2)), ms.float16), P(np.ones((2, 2))), P(np.ones((2, 2)))]
    ops.FusedCastAdamWeightDecay()(*states, 0.1, 0.9, 0.999, 1e-8, 0.1, Tensor(np.ones((2, 2)) * 3, ms.float16), norm)
    return [s.asnumpy() for s in states]

def changed(fn, *args):
    t = Tensor([[1.0, 2.0], [3.0, 4.0]])
    out = fn(t, *args)
    return t, out is t

def frozen(value):
    p = P([1.0])
    return p.requires_grad_(value), p.requires_grad

def hooked():
    t = Tensor([1.0])
    handle = t.register_hook(lambda grad: grad)
    before = len(t.hooks())
    handle.remove()
    return before, len(t.hooks())
"""
)

TOPICS = {
    "counting": r"""
ops.Bucketize([1.,3.])(x); ops.Bucketize([1,3])(x); ops.Bucketize((1.,3.))(x); ops.Bucketize([1.,3.])(i); ops.Bucketize([1.,3.])(3); ops.Bucketize([])(x);
ops.Histogram(4,0.,3.)(Tensor([1.,2,1])); ops.Histogram(4)(x); ops.Histogram(4)(i); ops.Histogram(4,1,2); ops.Histogram(0); ops.Histogram(4,3.,1.); ops.Histogram(3)(Tensor([2.,2])); ops.Histogram()(x); ops.Histogram(4)(d); ops.Histogram(4)(h); ops.Histogram(3,0.,1.)(Tensor([-1.,0.,1.,0.5,2.])); ops.Histogram(3,1.,1.)(Tensor([-1.,0.,1.,0.5,2.]));
ops.HistogramFixedWidth(5)(Tensor([-1.,0,1.5,2,5,15]),Tensor([0.,5])); ops.HistogramFixedWidth(0); ops.HistogramFixedWidth(5,'int64'); ops.HistogramFixedWidth(5.);
ops.ConfusionMatrix(4.); ops.ConfusionMatrix(4,3); ops.ConfusionMatrix(4)(I(0,1,1,3),I(1,2,1,3)); ops.ComputeAccidentalHits(2.); ops.ComputeAccidentalHits(2)(Tensor([[1,2],[0,4],[3,3]]),Tensor([0,1,2,3,4]));
ops.InTopK(3)(Tensor([[1.,8,5,2,7],[4,9,1,3,5]]),I(1,3)); ops.intopk(Tensor([[1.,8,5,2,7],[4,9,1,3,5]]),I(1,3),3); ops.intopk(Tensor([[1.,8,5,2,7],[4,9,1,3,5]]),I(1,7),3); ops.intopk(Tensor([[1.,8,5,2,7],[4,9,1,3,5]]),I(1,-1),3); ops.intopk(Tensor([[1.,1,1,1]]),I(3),2); ops.intopk(x,Tensor([1,1]),2); ops.intopk(x,I(1,1),2.); ops.intopk(x,I(1,1),5); ops.intopk(x,I(1,1,1),2); ops.intopk(x,I(1,1),0); ops.intopk(i,I(1,1),2); ops.intopk(Tensor([[1.,np.nan,2]]),I(0),2); ops.intopk(Tensor([[1.,np.inf,2]]),I(2),2); ops.intopk(h,I(1,2),1); ops.InTopK(1.5);
ops.NthElement()(x,1); ops.NthElement(True)(x,Tensor(1,ms.int32)); ops.NthElement()(x,5); ops.NthElement()(x,-1); ops.NthElement()(x,Tensor(1)); ops.NthElement()(Tensor([3,1,2],ms.int8),0); ops.NthElement(1); ops.NthElement()(Tensor(3.),0);
ops.Median()(x); ops.Median(True)(x); ops.Median(False,1)(x); ops.Median(False,1,True)(x); ops.Median(False,-1,True,True)(x); ops.Median(0); ops.Median(False,1.); ops.Median(False,3)(x); ops.Median(False,1)(Tensor([[1.,3,np.nan,2]])); ops.Median(False,1,False,True)(Tensor([[1.,3,np.nan,2]])); ops.Median(True)(Tensor([[1.,3,np.nan,2]])); ops.Median()(I(1,3,2)); ops.Median()(Tensor(3.)); ops.Median(True,0,True)(x);
ops.Quantile()(x,Tensor([0.5])); ops.Quantile(1,True)(x,0.5); ops.MapUniform()(Tensor(np.arange(8)),4,2); ops.MapUniform()(Tensor(np.arange(8)),Tensor(4),Tensor(2)); ops.MapUniform()(I(1,5,7),2,3);
ops.UnravelIndex()(I(2,5),I(3,3)); ops.UnravelIndex()(Tensor(5,ms.int32),I(3,3)); ops.UnravelIndex()(I(2,15),I(3,3)); ops.UnravelIndex()(I(-1),I(3,3)); ops.UnravelIndex()(Tensor([1]),I(3,3)); ops.UnravelIndex()(Tensor([[1]]),Tensor([3,3])); ops.UnravelIndex()(Tensor([1,23]),Tensor([2,3,4])); ops.UnravelIndex()(Tensor([1.]),Tensor([3.]));
ops.RaggedRange(ms.int64)(Tensor([2.,5,8]),Tensor([3.,5,12]),Tensor([1.,1,1])); ops.RaggedRange(ms.int32)(I(2,5,8),I(3,5,12),I(1,1,1)); ops.RaggedRange(ms.float32); ops.RaggedRange(ms.int64)(I(0,5),I(4,0),I(2,-1)); ops.RaggedRange(ms.int64)(Tensor(0),Tensor(4),Tensor(2)); ops.RaggedRange(ms.int64)(I(0),I(4),I(0)); ops.RaggedRange(ms.int64)(I(0),I(4),I(0,1)); ops.RaggedRange(ms.int64)(I(0),I(4),Tensor([1.]));
ops.EditDistance()(Tensor([[0,0,0],[0,0,1],[0,1,0]]),I(1,2,3),Tensor([1,2,2]),Tensor([[0,0,0],[0,0,1],[0,0,2],[0,1,0]]),I(1,3,2,3),Tensor([1,2,3])); ops.EditDistance(False)(Tensor([[0,0,0],[0,0,1],[0,1,0]]),I(1,2,3),Tensor([1,2,2]),Tensor([[0,0,0],[0,0,1],[0,0,2],[0,1,0]]),I(1,3,2,3),Tensor([1,2,3])); ops.EditDistance()(Tensor([[0,0,0],[0,0,1]]),I(1,2),Tensor([1,2,2]),Tensor([[0,1,0]]),I(3),Tensor([1,2,3])); ops.EditDistance()(Tensor([[0,0],[0,1]]),Tensor([1.,2]),Tensor([2,2]),Tensor([[1,0]]),Tensor([3.]),Tensor([2,3])); ops.EditDistance(1); ops.EditDistance()(Tensor([[0,0,0],[1,0,1],[1,1,1]]),Tensor([1.,2,3]),Tensor([1,1,2]),Tensor([[0,1,0],[0,0,1],[1,1,0],[1,0,1]]),Tensor([1.,3,2,1]),Tensor([2,2,2]));
ops.TensorToTuple()(Tensor([1,2,3])); ops.TensorToTuple()(Tensor([1.5,2,3])); ops.TensorToTuple()(Tensor([True,False])); ops.TupleToArray()((1,2,3)); ops.TupleToArray()([1,2,3]); ops.TupleToArray()((1.,2.)); ops.TupleToArray()((1,2.)); ops.TupleToArray()(3);
""",
    "matrices": r"""
ops.Eig()(Tensor([[1.,2],[3,4]])); ops.Eig()(x); ops.Eig()(i); ops.Eig()(Tensor([[1.,2],[3,4]],ms.float64)); [abs(v.asnumpy()) for v in ops.Eig(True)(Tensor([[1.,2],[3,4]]))]; ops.Eig()(Tensor([[[1.,2],[3,4]],[[2.,0],[0,3]]]));
ops.MatrixLogarithm()(Tensor([[1+2j,2+1j],[4+1j,5+2j]],ms.complex64)); ops.MatrixLogarithm()(Tensor([[1+2j,2+1j],[4+1j,5+2j]],ms.complex128)); ops.MatrixLogarithm()(x); ops.MatrixLogarithm()(Tensor([[1+2j,2+1j]],ms.complex64)); ops.MatrixLogarithm()(Tensor([1+2j,2+1j],ms.complex64)); ops.MatrixLogarithm()(Tensor([[[2,0],[0,3]],[[4,1],[0,4]]],ms.complex128));
ops.MatrixSolveLs()(Tensor([[3.,0,0,0],[2,1,0,0],[1,0,1,0],[1,1,1,1]]),Tensor([[4.],[2],[4],[2]]),Tensor(0.,ms.float64)); ops.MatrixSolveLs(False)(Tensor([[3.,0],[2,1],[1,0]]),Tensor([[4.],[2],[4]]),Tensor(0.5,ms.float64)); ops.MatrixSolveLs()(Tensor([[3.,0],[2,1],[1,0]]),Tensor([[4.],[2],[4]]),Tensor(0.5,ms.float64)); ops.MatrixSolveLs(True)(Tensor([[3.,0,1],[2,1,0]]),Tensor([[4.],[2]]),Tensor(0.5,ms.float64)); ops.MatrixSolveLs()(x,x[:1],Tensor(0.,ms.float64)); ops.MatrixSolveLs()(i,i,Tensor(0.,ms.float64)); ops.MatrixSolveLs(True)(x,x,0.5); ops.MatrixSolveLs(1);
ops.NuclearNorm()(x); ops.NuclearNorm((0,1),True)(x); ops.NuclearNorm((0,2),True)(x[None]); ops.NuclearNorm()(x[None]); ops.NuclearNorm([0,1])(d); ops.NuclearNorm((0,0))(x); ops.NuclearNorm((0,5))(x); ops.NuclearNorm()(h); ops.NuclearNorm('a'); ops.NuclearNorm((1,-1))(x[None]);
ops.TridiagonalMatMul()(Tensor([[1.,2,3]]),Tensor([[4.,5,6]]),Tensor([[7.,8,9]]),Tensor([[1.,2],[3,4],[5,6]])); ops.TridiagonalMatMul()(x,x,x,x); ops.TridiagonalMatMul()(x[:1],x[:1],x[:1],x); ops.TridiagonalMatMul()(i[:1],i[:1],i[:1],i.T); ops.TridiagonalMatMul()(x[None,:1],x[None,:1],x[None,:1],x.T[None]);
ops.Ormqr()(*ops.geqrf(m),m); ops.bessel_y0(Tensor([-1.,np.nan,0.,1.])); ops.bessel_y1(Tensor([-1.,-0.5,0.,1.])); ops.bessel_k0(Tensor([-1.,np.nan,np.inf,0.])); ops.bessel_k1e(Tensor([-1.,0.,1.])); ops.IOU('x'); ops.IOU('iof'); ops.InplaceUpdateV2()(x,(0,1),x+1); ops.InplaceUpdateV2()(x,0,x[:1]+1); ops.InplaceUpdateV2()(x,5,x[:1]+1); ops.InplaceUpdateV2()(x,-1,x[:1]+1);
factor((2,3,2),(2,3),(2,2),(),g); factor((2,3,2),(2,3),(2,2),(True,True,True),g); factor((2,3,2),(2,3),(2,2),(False,True,False),g); factor((3,),(1,),(1,),(True,False,True),Tensor([.1,-.5,.3])); factor((2,3,2),(2,3),(2,2),(),g,2.0); ops.FusedAdaFactor(1); cast_adam(1.0); cast_adam(2.0);
initializer(Tensor([1.,2]),(2,),ms.float16); initializer(Tensor([1.,2]),(3,)); initializer(Tensor([1.,2]));
""",
    "scalars": r"""
ops.shape_mul((2,3)); ops.shape_mul([2,3]); ops.shape_mul(()); ops.reduced_shape((2,3),(1,)); ops.reduced_shape((2,3,4),(1,-1)); ops.reduced_shape((2,3,4),()); ops.reduced_shape((2,3,4),1); ops.reduced_shape((2,3,4),(5,)); ops.broadcast_gradient_args((2,3),(3,)); ops.broadcast_gradient_args((2,1,3),(4,1)); ops.broadcast_gradient_args((2,3),(4,3)); ops.broadcast_gradient_args((),(3,)); ops.broadcast_gradient_args((1,),(1,)); ops.broadcast_gradient_args((1,1),(1,)); ops.broadcast_gradient_args((2,3),(2,3));
ops.scalar_add(1,2); ops.scalar_add(1.,2); ops.scalar_add(x,2); ops.scalar_add('a','b'); ops.scalar_sub(1,2); ops.scalar_mul(2,2.5); ops.scalar_div(3,2); ops.scalar_div(3,0); ops.scalar_floordiv(-3,2); ops.scalar_floordiv(3,0); ops.scalar_mod(-3,2); ops.scalar_mod(3,0); ops.scalar_mod(3.5,-2); ops.scalar_pow(2,3); ops.scalar_pow(2,-1); ops.scalar_pow(2.,0.5); ops.scalar_log(2.); ops.scalar_log(0); ops.scalar_uadd(2); ops.scalar_uadd(True); ops.scalar_usub(2); ops.scalar_usub(True); ops.scalar_max(1,2.); ops.scalar_min(1,2); ops.scalar_eq(1,1); ops.scalar_eq(1,'a'); ops.scalar_lt(1,2); ops.scalar_le(1,2); ops.scalar_gt(1,2); ops.scalar_ge(1,2); ops.scalar_add(True,2);
ops.tuple_getitem((1,2),1); ops.tuple_getitem((1,2),5); ops.list_getitem([1,2],0); ops.dict_getitem({'a':1},'a'); ops.tuple_setitem((1,2),0,5); ops.list_setitem([1,2],0,5); ops.make_tuple(1,2); ops.make_list(1,2); ops.make_range(3); ops.make_range(0,5,2); ops.make_range(5,0,-2); ops.make_range(0,5,0); ops.make_range(1.); repr(ops.make_slice(1,2,3)); ops.tuple_len((1,2)); ops.list_len([1,2]); ops.tuple_reversed((1,2)); ops.tuple_equal((1,),(1,)); ops.list_equal([1],[2]); ops.tuple_div((4,6),(2,3)); ops.in_dict('a',{'a':1}); ops.not_in_dict('b',{'a':1}); ops.is_(None,None); ops.is_not(None,None); ops.isconstant(1); ops.isconstant(x); repr(ops.typeof(x)); repr(ops.typeof(3)); repr(ops.typeof(1.5)); repr(ops.typeof(True)); repr(ops.typeof((1,))); repr(ops.typeof([1])); repr(ops.typeof('a')); repr(ops.typeof(None)); repr(ops.typeof(ms.float32));
ops.mixed_precision_cast(ms.float16,x); ops.mixed_precision_cast(ms.float16,i); ops.mixed_precision_cast(ms.float16,(x,i)); ops.mixed_precision_cast(ms.float16,3); ops.mixed_precision_cast(ms.float16,None); ops.mixed_precision_cast(ms.float16,{'a':x}); ops.mixed_precision_cast(ms.float16,[x,1.]); ops.mixed_precision_cast(ms.int32,x); ops.mixed_precision_cast('a',x); ops.mixed_precision_cast(ms.float16,Parameter(x)); ops.mixed_precision_cast(ms.float16,x.astype(ms.complex64)); ops.mixed_precision_cast(ms.float32,d);
ops.hyper_add((x,x),(x,1)); ops.hyper_add((1,2),(3,4)); ops.hyper_add(x,x); ops.hyper_add((x,(x,1)),(x,(x,1))); ops.augassign_add(x,x); ops.augassign_sub(3,x); ops.augassign_mul(x,2); ops.augassign_div(x,2); ops.augassign_floordiv(x,2); ops.augassign_mod(i,2); ops.augassign_add([1],[2]); ops.augassign_add('a','b'); ops.augassign_add((1,),(2,)); ops.augassign_mul([1],2); ops.augassign_sub(x,'a');
[ops.DtypeToEnum()('a','b',t) for t in (ms.bool_,ms.int8,ms.int32,ms.int64,ms.uint8,ms.float16,ms.float32,ms.float64,ms.bfloat16,ms.complex64)]; ops.DtypeToEnum()('a','b',3);
""",
    "passing": r"""
ops.IdentityN()([x,i]); ops.IdentityN()((x,)); ops.IdentityN()(x); ops.Reusing()(x); ops.UpdateState()(x,i); ops.Expand()(x,Tensor([2,2,3])); ops.Expand()(x,(2,2,3)); ops.CheckNumerics()(x); ops.CheckNumerics()(x/0); ops.CheckNumerics()(i); ops.CheckNumerics()(Tensor([np.nan]));
ops.SelectView()(x,0,1); ops.SelectView()(x,1,0); ops.TransposeView()(x,(1,0)); ops.TransposeExtView()(x,0,1); ops.TransposeExtView()(x,-1,0); ops.CopyWithSlice()(Tensor([1.,2,3]),Tensor([4.,5,6])); ops.CopyWithSlice()(Tensor([1.,2,3]),Tensor([4.,5.])); ops.CopyWithSlice()(Tensor([1.,2,3]),Tensor([4,5,6])); ops.MaskedScatter()(x,x>0,x*2); ops.LerpScalar()(x,x+1,0.5);
ops.diff_ext(x); ops.isnan_ext(x); ops.float_power_ext(x,2); ops.float_power_ext(i,2); ops.float_power_ext(2,i); ops.soft_shrink(x,0.5); ops.mse_loss_ext(x,x+1); ops.baddbmm_ext(x[None,:,:2],x[None,:,:2],x[None,:,:2]); ops.einsum_ext('ij,kj->ik',x,x); ops.reshape_(x,(3,2));
ops.clamp_(Tensor([1.,2,3])); changed(ops.clamp_,1.5,2.5); changed(ops.tanh_); changed(ops.zero_); changed(ops.erfinv_); changed(ops.inplace_sigmoid); changed(ops.put_,Tensor([1,3]),Tensor([9.,8.])); changed(lambda t:t.index_copy_(0,Tensor([1]),Tensor([[9.,8.]]))); changed(lambda t:mint.addr_(t,t[0],t[1])); changed(lambda t:t.set_(t+1)); changed(lambda t:t.assign_value_cpp(t+1)); x.to_('nowhere');
ops.vjp(lambda v:v*v,x)[0]; ops.Cauchy([2,3])().shape; ops.Cauchy([2,3],1)(); ops.Cauchy((2,3))(); ops.Cauchy([])(); ops.Cauchy([0])(); ops.LogNormalReverse(2.,1.)(x).shape; ops.LogNormalReverse(2,1)(x); ops.LogNormalReverse()(h).dtype; ops.NonDeterministicInts()(Tensor([2,3])).shape; ops.NonDeterministicInts(ms.int32)(Tensor([2,2])).dtype; ops.NonDeterministicInts(ms.float32); ops.NonDeterministicInts()(Tensor([2]));
ops.ParameterizedTruncatedNormal(1,2)(I(2,3),Tensor([0.]),Tensor([1.]),Tensor([-1.]),Tensor([1.])).shape; ops.LogUniformCandidateSampler(2,1,True,5)(Tensor([[1,2],[0,4],[3,3]]))[1]; [v.shape for v in ops.log_uniform_candidate_sampler(Tensor([[1],[2]]),1,3,True,5)]; ops.log_uniform_candidate_sampler(Tensor([[1],[2]]),1,3,False,5,seed=3)[1]; ops.log_uniform_candidate_sampler(I(1),1,3); ops.log_uniform_candidate_sampler(Tensor([[1],[2]]),1,7,True,5); ops.log_uniform_candidate_sampler(Tensor([1,2]),1,3); ops.log_uniform_candidate_sampler(Tensor([[1],[2]]),1,3,1,5); [str(v.dtype) for v in ops.uniform_candidate_sampler(Tensor([[1],[3]]),1,3,False,4)]; ops.uniform_candidate_sampler(Tensor([[1],[3]]),1,3,False,4)[1];
ops.PyFunc(lambda a,b:a+b,[ms.float32]*2,[(3,),(3,)],[ms.float32],[(3,)])(Tensor([1.,2,3]),Tensor([1.,2,3])); ops.PyFunc(lambda a,b:(a+b,a-b),[ms.float32]*2,[(3,),(3,)],[ms.float32]*2,[(3,)]*2)(Tensor([1.,2,3]),Tensor([1.,2,3])); ops.TensorDump('x'); ops.tensordump(3,x); ops.tensordump('a',3);
frozen(False); frozen(0); frozen(True); hooked(); x.hooks(); x.requires_grad_(); x.init_flag; x.init_finished; x.param_info; x.delta_seed; x.index_of_parent_; x.symbolic_shape; x.wait_pipeline(); x._load(); x._offload(); x.set_cast_dtype(ms.float16); P(1.).cache_shape; P(1.).parallel_optimizer_comm_recompute; P(1.).add_pipeline_stage(1); x.is_init(); P(1.).is_init;
""",
}


def samples(topic: str) -> list[str]:
    """The expressions of a topic."""
    return [e.strip() for line in TOPICS[topic].splitlines() for e in line.split(";") if e.strip()]
