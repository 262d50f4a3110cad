"""Expressions about mindspore.scipy; see tests/ops/samples.py for the form.

To add one, write it here and run `python -m tests.conformance.record scipy_recorder` with an interpreter that has MindSpore.
"""
# ruff: noqa: E501 - one topic's samples a line

SETUP = """
import importlib
linalg = importlib.import_module(ms.__name__ + '.scipy.linalg')
fft = importlib.import_module(ms.__name__ + '.scipy.fft')
optimize = importlib.import_module(ms.__name__ + '.scipy.optimize')
A = np.array([[4.0, 1, 2], [1, 3, 0.5], [2, 0.5, 5]])
a, d, i, l = Tensor(A, ms.float32), Tensor(A), Tensor(A.astype(np.int32)), Tensor(A.astype(np.int64))
h, z, bat = a.astype(ms.float16), Tensor(A + 0j, ms.complex64), Tensor(np.stack([A, A * 2 + 1]), ms.float32)
b, B, C = Tensor([1.0, 2, 3]), Tensor([[1.0, 2], [3, 4], [5, 7]]), Tensor([[4.0, 1, 3], [2, 0, 5], [3, 2, 2]])
x = Tensor([[1.0, 2, 3], [4, 5, 7]])
def rosen(x): return ((1 - x[:-1]) ** 2 + 100 * (x[1:] - x[:-1] ** 2) ** 2).sum()
def square(x): return (x ** 2).sum()
def again(pair): return (pair[1] * pair[0]) @ pair[1].T
def found(r): return [r.x.round(decimals=3), r.success, r.status, float(r.fun) < 1e-5, r.nit > 0, r.nfev > 0]
"""
_UNARY = "linalg.inv linalg.cholesky linalg.cho_factor linalg.lu_factor linalg.lu linalg.det".split()
LINALG = r"""
linalg.inv([[1.,2],[3,4]]); linalg.inv(a,1); linalg.inv(a,False,1); linalg.cholesky(a,True); linalg.cholesky(a,1); linalg.cholesky(-a); linalg.cho_factor(a,True);
linalg.cho_solve(linalg.cho_factor(a),b); linalg.cho_solve(linalg.cho_factor(a,True),b); linalg.cho_solve((linalg.cholesky(a),False),B); linalg.cho_solve((a,False),Tensor([1.,2])); linalg.cho_solve((a,False),b.astype(ms.float64)); linalg.cho_solve(linalg.cho_factor(i),i.astype(ms.float64));
again(linalg.eigh(a)); again(linalg.eigh(d)); again(linalg.eigh(i)); linalg.eigh(a)[0]; linalg.eigh(l,eigvals_only=True); linalg.eigh(Tensor([[1.,9],[2,3]]),lower=False)[0]; linalg.eigh(Tensor([[1.,9],[2,3]]))[0]; linalg.eigh(z)[0];
linalg.eigh(a,a); linalg.eigh(a,eigvals=(0,1)); linalg.eigh(B); linalg.eigh(h); linalg.eigh(bat); linalg.eigh(a,overwrite_a=1); linalg.eigh(a,type=2)[0]; linalg.eigh(a,turbo=False)[0];
linalg.lu(a,True); linalg.lu(B.T); linalg.lu(Tensor([[1.,2],[3,4]])); linalg.lu_factor(Tensor([[1.,2],[3,4]])); linalg.lu(B);
linalg.lu_solve(linalg.lu_factor(a),b); linalg.lu_solve(linalg.lu_factor(a),B,1); linalg.lu_solve(linalg.lu_factor(a),B,2); linalg.lu_solve(linalg.lu_factor(a),Tensor([1.,2])); linalg.lu_solve(linalg.lu_factor(d),b); linalg.lu_solve(linalg.lu_factor(a),b,3); linalg.solve_triangular(a,a); linalg.solve_triangular(d,d); linalg.solve_triangular(i,i); linalg.solve_triangular(l,l); linalg.solve_triangular(z,z); linalg.solve_triangular(bat,bat); linalg.solve_triangular(a,b); linalg.solve_triangular(a,b,1); linalg.solve_triangular(a,b,2); linalg.solve_triangular(a,b,'N');
linalg.solve_triangular(a,b,'T'); linalg.solve_triangular(a,b,'C'); linalg.solve_triangular(a,b,'x'); linalg.solve_triangular(a,b,lower=True); linalg.solve_triangular(a,B,unit_diagonal=True); linalg.solve_triangular(a,Tensor([1.,2])); linalg.solve_triangular(a,b.astype(ms.float64)); linalg.solve_triangular([[1.]],[1.]);
linalg.block_diag(a,b); linalg.block_diag(); linalg.block_diag(Tensor(2.0),B); linalg.block_diag(bat); linalg.block_diag(B,Tensor([[1]])); linalg.block_diag(i,i); linalg.block_diag(z);
linalg.lstsq(B,b); linalg.lstsq(B,B); linalg.lstsq(B.T,Tensor([1.,2])); linalg.lstsq(B,b,driver='gelsy'); linalg.lstsq(B,b,driver='gels'); linalg.lstsq(B,b,driver='gelsd'); linalg.lstsq(B,b,driver='gelss'); linalg.lstsq(B,B,driver='gelsd')[0]; linalg.lstsq(B,B,driver='gelsd')[1].shape; linalg.lstsq(a,b,driver='gelsd'); linalg.lstsq(B,b,driver='x');
linalg.lstsq(B,Tensor([1.,2])); linalg.lstsq(d,d[0])[0]; linalg.lstsq(i,i); linalg.lstsq(bat,bat)[2]; linalg.lstsq(Tensor([[1.,2],[2,4]]),Tensor([1.,2]));
"""
FFT = r"""
fft.F(x); fft.F(x,axis=0); fft.F(x,n=5); fft.F(x,n=2); fft.F(x,norm='ortho'); fft.F(x,type=1); fft.F(x,type=2); fft.F(x,type=3); fft.F(x,norm='forward'); fft.F(i); fft.F(d); fft.F(h); fft.F(z); fft.F([1.,2]); fft.F(x,axis=3); fft.F(x,norm='x');
"""
MANY = r"""
fft.F(x); fft.F(x,axes=(0,)); fft.F(x,s=(3,4)); fft.F(x,s=(4,),axes=(1,)); fft.F(x,norm='ortho'); fft.F(x,s=(4,)); fft.F(bat); fft.F(bat,axes=(-1,0)); fft.F(x,norm='forward');
"""
OPTIMIZE = r"""
optimize.linear_sum_assignment(C,False); optimize.linear_sum_assignment(C,True); optimize.linear_sum_assignment(C[:2],False); optimize.linear_sum_assignment(C[:,:2],False); optimize.linear_sum_assignment(C,False,Tensor(2)); optimize.linear_sum_assignment(C.astype(ms.float64),True); optimize.linear_sum_assignment(C.astype(ms.int32),False);
optimize.linear_sum_assignment(C.astype(ms.int64),False); optimize.linear_sum_assignment(C>2,True); optimize.linear_sum_assignment(C[0],False); optimize.linear_sum_assignment(C,False,2); optimize.linear_sum_assignment(C,Tensor(False)); optimize.linear_sum_assignment(C,1); optimize.linear_sum_assignment(C.astype(ms.float16),False);
found(optimize.minimize(square,Tensor([1.,0.5]),method='BFGS')); found(optimize.minimize(rosen,Tensor([-1.2,1.0]),method='BFGS')); found(optimize.minimize(rosen,Tensor([-1.2,1.0]),method='LBFGS')); found(optimize.minimize(square,Tensor([1.,0.5]),method='lbfgs')); found(optimize.minimize(square,Tensor([1.,0.5],ms.float64),method='BFGS'));
found(optimize.minimize(lambda x,a:((x-a)**2).sum(),Tensor([0.,0.]),args=(Tensor([3.,4.]),),method='BFGS')); found(optimize.minimize(square,Tensor([1.,0.5]),method='BFGS',jac=lambda x:2*x)); optimize.minimize(square,Tensor([1.,0.5])); optimize.minimize(square,Tensor([1.,0.5]),method='x'); optimize.minimize(square,Tensor([[1.,0.5]]),method='BFGS');
optimize.minimize(square,Tensor([1,2]),method='BFGS'); optimize.minimize(square,Tensor([1.,0.5]),method='BFGS',options=dict(foo=1)); optimize.minimize(rosen,Tensor([-1.2,1.0]),method='BFGS',options=dict(maxiter=3)).status; optimize.minimize(square,Tensor([1.,0.5]),method='LBFGS',options=dict(history_size=3)).hess_inv; sorted(optimize.minimize(square,Tensor([1.,0.5]),method='BFGS')._fields);
tuple(optimize.line_search(square,Tensor([1.,2.]),Tensor([-1.,-2.]))); tuple(optimize.line_search(rosen,Tensor([-1.2,1.]),Tensor([215.6,88.]))); optimize.line_search(rosen,Tensor([-1.2,1.]),Tensor([-215.6,-88.]))[0]; tuple(optimize.line_search(square,Tensor([1.,2.]),Tensor([-1.,-2.]),c1=0.5,c2=0.9,maxiter=3));
tuple(optimize.line_search(square,Tensor([1.,2.]),Tensor([-1.,-2.]),jac=lambda x:2*x,gfk=Tensor([2.,4.]),old_fval=Tensor(5.),old_old_fval=Tensor(6.))); optimize.line_search(square,Tensor([1.,2.]),Tensor([-1.,-2.]))._fields;
"""


def _split(text: str) -> list[str]:
    return [e.strip() for line in text.splitlines() for e in line.split(";") if e.strip()]


TOPICS = {
    "linalg": [f"{f}({n})" for f in _UNARY for n in ("a", "d", "i", "l", "h", "z", "bat", "B")] + _split(LINALG),
    "fft": [e.replace("fft.F", f"fft.{f}") for f in ("dct", "idct") for e in _split(FFT)]
    + [e.replace("fft.F", f"fft.{f}") for f in ("dctn", "idctn") for e in _split(MANY)],
    "optimize": _split(OPTIMIZE),
}


def samples(topic: str) -> list[str]:
    """The expressions of a topic."""
    return TOPICS[topic]
