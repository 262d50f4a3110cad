"""Samples of Tensor's operators and rarer methods and of `mindspore.numpy`'s names, in the form of `samples.py`.

To add one, add a sample and run `python -m tests.conformance.record ops_members` with an interpreter that has MindSpore.
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
n = Tensor(np.array([[1, np.nan, 3], [4, 0, -2]], np.float32))
s = Tensor(np.array([[4, 1, .5], [1, 3, -1], [.5, -1, 2]], np.float32))
q = Tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
at = Tensor([1, 0], ms.int32)
"""

_OPERATORS = (
    "add and eq floordiv ge gt le lt mod mul ne or pow radd rfloordiv rmod rmul rpow rsub rtruediv sub truediv xor"
)
_IN_PLACE = "ifloordiv imod imul isub itruediv"

TOPICS = {
    "operator": ";".join(
        [
            f"{one}.__{name}__({other})"
            for name in _OPERATORS.split()
            for one, other in (
                ("x", "p"),
                ("i", "j"),
                ("p", "2"),
                ("i", "2.5"),
                ("b", "b"),
                ("b", "True"),
                ("x", "'a'"),
                ("x", "x[0]"),
            )
        ]
        + [
            f"{one}.copy().__{name}__({other})"
            for name in _IN_PLACE.split()
            for one, other in (
                ("x", "p"),
                ("i", "j"),
                ("x", "2"),
                ("i", "2.5"),
                ("x", "x[0]"),
                ("b", "b"),
                ("x", "'a'"),
            )
        ]
    )
    + r"""
    ;x.__abs__(); i.__abs__(); c.__abs__(); b.__abs__(); Tensor(2.5).__bool__(); Tensor(0).__bool__(); x.__bool__(); Tensor([3.]).__float__(); x.__float__(); Tensor(7).__float__(); Tensor(7).__int__(); Tensor([2.7]).__int__(); x.__int__(); Tensor(7).__index__(); Tensor(2.5).__index__(); x.__index__(); Tensor(True).__index__(); i.__invert__(); b.__invert__(); x.__invert__();
    [t.shape for t in x.__iter__()]; list(Tensor(1.).__iter__()); x.__len__(); Tensor(1.).__len__(); x.__neg__(); b.__neg__(); u.__neg__(); x.__pos__(); b.__pos__(); x.__round__(); i.__round__(); x.__repr__(); i.__str__(); b.__str__(); Tensor(2.5).__repr__(); h.__str__(); x.__array__(); x.__array__(np.float64); i.__array__(); x.__contains__(1.5); x.__contains__(7); x.__contains__(x[0]); (3 in x); x.__deepcopy__({}); x.__deepcopy__({}) is x; x.__hash__() == x.__hash__(); x.__hash__() == x.copy().__hash__(); isinstance(x.__hash__(),int); {x: 1}[x]; x.__matmul__(s); x.__matmul__(x); x.__matmul__(x[0]); x.__matmul__(3); i.__matmul__(i.T); x.__rmatmul__(y.T); x.__rmatmul__(3); x.__eq__(None); x.__ne__(None); x.__eq__('a'); x.__eq__((1,2)); x.__lt__(None); x.__gt__('a');
    operator.iadd(x.copy(),p); operator.isub(x.copy(),p); operator.imul(x.copy(),2); operator.itruediv(x.copy(),p); operator.ifloordiv(i.copy(),2); operator.imod(i.copy(),j)
""",
    "method": r"""
s.addmm_(s,s) is s; s.copy().addmm_(s,s); s.copy().addmm_(s,s,beta=.5,alpha=2); s.copy().addmm_(x,x); s.addr(x[0],y[0]); s.addr(x[0],y[0],beta=.5,alpha=2.); s.addr(x,y); x.amin(); x.amin(1); x.amin(axis=(0,1),keepdims=True); x.amin(1,initial=-9.); i.amin(0); x.amin(5); x.aminmax(); x.aminmax(axis=1); x.aminmax(axis=0,keepdims=True); i.aminmax(); n.aminmax(); x.argmin_with_value(1); x.argmin_with_value(axis=0,keep_dims=True); i.argmin_with_value(); x.argmin_with_value(5); n.argmin_with_value(1);
s.cholesky_inverse(); s.cholesky_inverse(upper=True); x.cholesky_inverse(); x.T.cholesky_solve(s); x.T.cholesky_solve(s,True); x.cholesky_solve(s); x[0].diagflat(); i.diagflat(1); x.diagflat(offset=-1); q.dsplit(2); q.dsplit([1,3]); x.dsplit(2); q.dsplit(indices_or_sections=4)[0].shape; x.flipud(); i.flipud(); x.i0(); d.i0(); p.igamma(p+1); p.igamma(other=p); p.igammac(p+1); p.igammac(Tensor([1.,2.])); i.igamma(i); (p+2).mvlgamma(2); (p+2).mvlgamma(p=1); y.mvlgamma(3); n.nanmean(); n.nanmean(1); n.nanmean(0,True); n.nanmean(1,keepdim=True,dtype=ms.float64); i.nanmean(); n.nanmedian(); n.nanmedian(1); n.nanmedian(axis=0,keepdims=True); i.nanmedian(1); n.nanquantile(.5); n.nanquantile(Tensor([.25,.5]),1); n.nanquantile(.5,axis=0,keepdims=True); x.quantile(.5); x.quantile(Tensor([.25,.5]),axis=1); x.quantile(.3,0,True); x.quantile(2.); i.quantile(.5); n.quantile(.5,1);
x.new_empty((2,3)).shape; x.new_empty((2,),dtype=ms.int32).dtype; x.new_empty('a'); i.new_empty(3).dtype; x.swapdims(0,1); q.swapdims(-1,0).shape; x.swapdims(0,5); x.sum_to_size((1,3)); x.sum_to_size(2,1); x.sum_to_size((3,)); x.sum_to_size((2,2)); q.sum_to_size((3,1)); x.sum_to_size(()); i.sum_to_size((1,)); x.triangular_solve(s[:2,:2]); x.T.triangular_solve(s); x.T.triangular_solve(s,upper=False); x.T.triangular_solve(s,transpose=True,unitriangular=True); x.triangular_solve(s); x.xdivy(p); x.xdivy(2.); Tensor([0.,1.]).xdivy(Tensor([0.,0.])); i.xdivy(j); c.mH; x.mH; q.mH.shape; x[0].mH; c[0].mH;
x.unsorted_segment_min(at,2); x.unsorted_segment_min(Tensor([0,0]),2); i.unsorted_segment_min(segment_ids=at,num_segments=3); x.unsorted_segment_prod(at,2); x.unsorted_segment_prod(Tensor([1,1]),2); i.unsorted_segment_prod(at,-1); Tensor([1,1,5,4,5]).unique_with_pad(0); Tensor([2.,1.,2.]).unique_with_pad(pad_num=-1.); x.unique_with_pad(0); Tensor([1,1,5],ms.int32).unique_with_pad(9); x.scatter_div(Tensor([[0],[1]]),p); x.scatter_div(Tensor([[0,1],[0,1]]),Tensor([2.,4.])); x.scatter_div(Tensor([[7]]),p[:1]); x.scatter_min(Tensor([[0],[1]]),y); x.scatter_min(Tensor([[0,1],[0,1]]),Tensor([2.,-4.])); x.scatter_min(Tensor([[0]]),y); i.scatter_min(Tensor([[0,0]]),Tensor([-3],ms.int32));
x.index_put((at,),y[0]); x.index_put((Tensor([0,1]),Tensor([1,2])),Tensor([9.,8.])); x.index_put((Tensor([0,0]),Tensor([1,1])),Tensor([9.,8.]),accumulate=True); x.index_put((b,),Tensor(7.)); x.index_put((Tensor([5]),),Tensor([7.])); x.index_put(3,Tensor(7.)); x.copy().index_add_(0,at,y); x.copy().index_add_(1,Tensor([2,0]),y[:,:2]); x.copy().index_add_(0,at,y,alpha=2); x.copy().index_add_(0,Tensor([5]),y[:1]); x.copy().index_add_(dim=-1,index=Tensor([0]),source=y[:,:1]); i.copy().index_add_(0,at,j); x.copy().index_fill_(0,at,7.); x.copy().index_fill_(1,Tensor([0,2]),Tensor(7.)); x.copy().index_fill_(-1,Tensor([-1]),1); x.copy().index_fill_(5,at,7.); x.copy().index_fill_(0,Tensor([9]),7.); i.copy().index_fill_(0,at,2);
p.copy().exp_(); p.copy().log_(); p.copy().floor_(); x.copy().sign_(); y.copy().tanh_(); y.copy().sigmoid_(); y.copy().erfinv_(); x.copy().div_(p); x.copy().div_(2); x.copy().div_(p,rounding_mode='floor'); x.copy().div_(p,rounding_mode='trunc'); i.copy().div_(2); i.copy().div_(2,rounding_mode='floor'); x.copy().floor_divide_(p); i.copy().floor_divide_(2); x.copy().remainder_(p); x.copy().remainder_(2.); i.copy().remainder_(j); x.copy().clamp_(-1.,2.); x.copy().clamp_(max=0.); x.copy().clamp_(min=y); i.copy().clamp_(0,3); s.copy().fill_diagonal_(9.); ops.ones((5,2),ms.float32).fill_diagonal_(2.,wrap=True); x.copy().fill_diagonal_(7.); x[0].copy().fill_diagonal_(1.); ops.ones((2,2,2),ms.float32).fill_diagonal_(3.); x.copy().masked_fill_(b,7.); x.copy().masked_fill_(b,Tensor(7.)); x.copy().masked_fill_(i,7.); x.copy().masked_fill_(b[0],0); x.copy().masked_scatter_(b,y); x.copy().masked_scatter_(b,Tensor([1.])); x.copy().masked_scatter_(i,y); i.copy().exp_(); i.copy().tanh_();
x.copy().scatter_(1,Tensor([[0],[2]]),y); x.copy().scatter_(1,Tensor([[0],[2]]),7.); x.copy().scatter_(dim=0,index=Tensor([[0,1,0]]),src=y); x.copy().scatter_(dim=0,index=Tensor([[0,1,0]]),value=2.); x.copy().scatter_(1,Tensor([[0],[2]]),y,reduce='add'); x.copy().scatter_(1,Tensor([[0],[2]]),7.,reduce='multiply'); x.copy().scatter_(5,Tensor([[0]]),y); x.copy().scatter_(1,Tensor([[9]]),7.); x.copy().scatter_add_(1,Tensor([[0],[2]]),y); x.copy().scatter_add_(0,Tensor([[0,0,0],[0,1,1]]),y); x.copy().scatter_add_(dim=1,index=Tensor([[0,0]]),src=y); x.copy().scatter_add_(1,Tensor([[9]]),y);
x.copy().bernoulli_(1.); x.copy().bernoulli_(0.); x.copy().bernoulli_(p=y.abs()).dtype; x.copy().normal_(2.,0.); x.copy().normal_().shape; i.copy().normal_().dtype; x.copy().uniform_(3.,3.); x.copy().uniform_().shape; x.copy().uniform_(1.,0.); x.copy().random_(2,3); i.copy().random_(5).dtype; x.copy().random_(3,2); x.copy().exponential_().shape; x.copy().exponential_(2.)>=0; x.copy().exponential_(-1.)
""",
}

UNARY = (
    "absolute arccos arccosh arcsin arcsinh arctan arctanh ceil cos cosh deg2rad exp2 expm1 log10 log1p log2 negative "
    "positive rad2deg reciprocal sinh tan tanh trunc fix bitwise_not invert isfinite isinf isneginf isposinf logical_not "
    "signbit radians fabs argwhere fliplr flipud triu diagflat nanmean atleast_1d atleast_3d argmin"
).split()
BINARY = (
    "arctan2 float_power gcd lcm logaddexp logaddexp2 minimum multiply remainder subtract bitwise_and bitwise_or "
    "bitwise_xor greater greater_equal less_equal logical_or logical_xor not_equal"
).split()
TOPICS["mnp"] = (
    ";".join(
        [f"mnp.{name}({one})" for name in UNARY for one in ("y", "i", "[1.5,2.5]", "b", "'a'")]
        + [f"mnp.{name}({two})" for name in BINARY for two in ("x,p", "i,j", "x,2.5", "[1,2],[3,4]", "b,b", "'a',x")]
    )
    + r"""
;mnp.arccos(y,dtype=mnp.float16); mnp.negative(x,dtype=mnp.int32); mnp.cos(i,dtype=mnp.float64); mnp.subtract(x,p,dtype=mnp.float16); mnp.greater(x,p,dtype=mnp.int32); mnp.logical_or(b,b,dtype=mnp.int32); mnp.bool_; mnp.float_; mnp.int16; mnp.int64; mnp.int8; mnp.int_; mnp.uint16; mnp.uint32; mnp.uint64; mnp.uint8; mnp.bartlett(5); mnp.bartlett(1); mnp.bartlett(0); mnp.blackman(6); mnp.blackman(-1); mnp.hamming(6); mnp.hamming('a'); mnp.hamming(5.); mnp.blackman(1); mnp.bartlett(Tensor(4));
mnp.argmin(x,axis=1); mnp.argmin(x,0); mnp.argmin([3,1,2]); mnp.argmin(x,axis=5); mnp.broadcast_arrays(x,x[0]); mnp.broadcast_arrays(x,Tensor([1.,2.])); mnp.broadcast_arrays([1,2],3); mnp.column_stack((x,p)); mnp.column_stack((x[0],p[0])); mnp.column_stack([[1,2],[3,4]]); mnp.column_stack(3); mnp.dstack((x,p)); mnp.dstack([[1,2],[3,4]]); mnp.dstack((x[0],)); mnp.dstack((x,x[0])); mnp.dsplit(q,2); mnp.dsplit(q,[1,3]); mnp.dsplit(x,2); mnp.hsplit(x,3); mnp.hsplit(x,[1]); mnp.hsplit(x[0],3); mnp.hsplit(x,2); mnp.vsplit(x,2); mnp.vsplit(x,[1]); mnp.vsplit(x[0],2); mnp.vsplit(x,3); mnp.diagflat(x,1); mnp.diagflat([1,2],k=-1);
mnp.histogram_bin_edges(x,3); mnp.histogram_bin_edges([1,2,4],bins=2,range=(0,8)); mnp.histogram_bin_edges(x,[1.,2.,3.]); mnp.histogram_bin_edges(i); mnp.histogram_bin_edges(x,'a'); mnp.histogram_bin_edges(x,3,weights=p); mnp.isscalar(3); mnp.isscalar(2.5); mnp.isscalar('a'); mnp.isscalar(x); mnp.isscalar([1]); mnp.isscalar(True); mnp.isscalar(None); mnp.logspace(0,2,3); mnp.logspace(1.,3.,num=4,endpoint=False); mnp.logspace(0,4,5,base=2); mnp.logspace(0,[1,2],3); mnp.logspace(0,2,3,dtype=mnp.int32); mnp.logspace(0,[1,2],3,axis=1); mnp.logspace(0,2,-1); mnp.logspace('a',2); mnp.matrix_power(s,2); mnp.matrix_power(s,0); mnp.matrix_power(x,2); mnp.matrix_power(s,-1); mnp.matrix_power([[1,2],[3,4]],3); mnp.matrix_power(s,1.5);
mnp.nanmean(n); mnp.nanmean(n,1); mnp.nanmean(n,axis=0,keepdims=True); mnp.nanmean(n,dtype=mnp.float16); mnp.nanmean([1,2]); mnp.nanmean(i,0); mnp.rollaxis(q,2).shape; mnp.rollaxis(q,0,3).shape; mnp.rollaxis(q,-1,1).shape; mnp.rollaxis(q,5); mnp.rollaxis(q,1,9); mnp.triu(x,1); mnp.triu(x,k=-1); mnp.triu([[1,2],[3,4]]); mnp.triu(q).shape; mnp.triu(x[0]); mnp.fliplr(x[0]); mnp.flipud(Tensor(1.)); mnp.atleast_1d(3,x); mnp.atleast_3d(x,3)[1].shape; mnp.atleast_3d(q).shape; mnp.ogrid[0:3]; mnp.ogrid[0:2,0:3]; mnp.ogrid[0:1:3j]; mnp.float_power(i,.5); mnp.float_power([1,2],[2,3]); mnp.float_power(h,h); mnp.signbit([-0.,0.]); mnp.isposinf(Tensor([np.inf,-np.inf,1])); mnp.isneginf([np.inf,-np.inf]); mnp.isinf(c); mnp.isneginf(c); mnp.remainder(5,0); mnp.remainder([5.,-5.],3); mnp.absolute(c); mnp.reciprocal([2,0]); mnp.positive(c); mnp.fix(c); mnp.minimum(n,n); mnp.multiply(c,2); mnp.subtract(3,c); mnp.gcd([12,18],6); mnp.lcm([4,6],10); mnp.logaddexp([1],[2]); mnp.argwhere([0,1,2]); mnp.argwhere(Tensor(1.)); h.__rtruediv__(x); mnp.arccosh(p); mnp.argmin([[1,2],[3,4]]); mnp.exp2([[1,2],[3,4]]); mnp.reciprocal([2,0,-1]); mnp.tanh(Tensor(2.)); mnp.not_equal(x,x[0]); mnp.minimum(x,[1.,2.,3.]); mnp.gcd(x,x[0]); mnp.lcm(x,x[0]); mnp.argmin(n); mnp.diagflat(n); mnp.isfinite(n); mnp.isposinf(n); mnp.signbit(n)
"""
)


def samples(topic: str) -> list[str]:
    """The expressions of a topic, each once."""
    found = [e.strip() for line in TOPICS[topic].splitlines() for e in line.split(";")]
    return list(dict.fromkeys(e for e in found if e))
