"""Which results share storage with an operand: the expressions, and the two ways to find out.

Imports neither MindSpore nor ms_compat, so that the recorder can use it.
"""

import re

import numpy as np

OPERANDS = {
    "x": "Tensor(np.arange(1, 7).reshape(2, 3), ms.float32)",
    "v": "Tensor([1.0, 2.0, 3.0])",
    "q": "Tensor(np.arange(1, 25).reshape(2, 3, 4), ms.float32)",
    "s": "Tensor(2.0)",
    "b": "Tensor([True, False])",
    "i": "Tensor([[1, 2, 3], [4, 5, 6]], ms.int32)",
    "m": "Tensor([[1.0, 2.0], [3.0, 4.0]])",
    "o": "Tensor([[1.0, 2.0, 3.0]])",
    "h": "Tensor([[1, 2, 3], [4, 5, 6]], ms.float16)",
    "z": "Tensor([[1 + 2j, 2], [3, 4]], ms.complex64)",
    "e": "Tensor([5.0])",
}
EXPRESSIONS = [
    line.strip()
    for line in """
ops.flatten(x); ops.flatten(x,start_dim=0); ops.flatten(x,start_dim=1); ops.flatten(q); ops.flatten(q,start_dim=0)
ops.flatten(q,start_dim=1); ops.flatten(q,start_dim=1,end_dim=1); ops.flatten(q,start_dim=2); ops.flatten(q,'F')
ops.flatten(x,'F'); ops.flatten(v); ops.flatten(v,start_dim=0); ops.flatten(s); ops.flatten(s,start_dim=0)
ops.flatten(x.T,start_dim=0); ops.flatten(q.swapaxes(0,1),start_dim=0,end_dim=1); ops.Flatten()(q); ops.Flatten()(v)
ops.adjoint(x); ops.adjoint(z); ops.adjoint(q); ops.clip_by_norm(x,100); ops.clip_by_norm(x,0.1)
ops.clip_by_norm([x],100); ops.clip_by_norm([x,v],100); ops.clip_by_norm([x,v],0.1); ops.clip_by_value(x,0,10)
ops.clip_by_value([x],0,10); ops.clip_by_value(x,0); ops.clamp(x,0); ops.clip_by_global_norm([x],100)
ops.clip_by_global_norm([x,v],100); ops.meshgrid(v,v); ops.meshgrid(x[0],x[0],indexing='ij'); ops.meshgrid(x[0])
ops.meshgrid(v); ops.meshgrid(v,e); ops.meshgrid(e,v)[0]; ops.meshgrid(e,v)[1]; ops.Meshgrid('xy')((v,v))
ops.addn((x,)); ops.addn([x]); ops.AddN()([x]); ops.AddN()((x,)); ops.AccumulateNV2()([x]); ops.accumulate_n([x])
ops.stack([x]); ops.concat([x]); ops.cat([x]); ops.hstack([x]); ops.hstack([s]); ops.vstack([x]); ops.vstack([v])
ops.dstack([x]); ops.column_stack([x]); ops.Expand()(x,Tensor([2,2,3])); ops.Expand()(x,Tensor([2,3]))
ops.CheckNumerics()(x); ops.CheckNumerics()(h); ops.Depend()(x,v); ops.Identity()(x); ops.identity(x)
ops.identity(s); ops.max(s); ops.min(s); ops.max(s,axis=0); ops.max(s,keepdims=True); ops.max(e)
ops.dropout2d(q,0.5,training=False); ops.dropout2d(x,0.5,training=False); ops.dropout2d(v,0.5,training=False)
ops.dropout3d(q,0.5,training=False); ops.dropout3d(v,0.5,training=False); ops.dropout1d(v,0.5,training=False)
ops.dropout1d(q,0.5,training=False); ops.dropout1d(s,0.5,training=False); ops.dropout1d(x,0.0)
ops.dropout2d(i,0.5,training=False); ops.dropout2d(q,5.0,training=False); ops.dropout2d(b,0.5,training=False)
ops.flatten(x,'F',start_dim=0); ops.flatten(v,'F'); ops.flatten(s,'F'); ops.flatten(q,start_dim=-1)
ops.flatten(q,start_dim=1,end_dim=2); ops.flatten(q,start_dim=-2); ops.flatten(q,start_dim=0,end_dim=0)
ops.flatten(q,start_dim=0,end_dim=1); ops.flatten(o,start_dim=0); ops.flatten(o)
ops.flatten(v,start_dim=0,end_dim=0); ops.strided_slice(x,(0,0),(2,3),(1,1)); ops.strided_slice(x,(0,),(1,),(1,))
ops.strided_slice(x,(0,0),(2,3),(1,2)); ops.strided_slice(x,(0,0),(1,3),(1,1),new_axis_mask=1)
ops.strided_slice(x,(0,0),(2,3),(1,1),begin_mask=0); ops.strided_slice(x,(0,0),(2,3),(1,1),0,0,0,0,0)
ops.strided_slice(x,(-1,0),(2,3),(1,1)); ops.strided_slice(x,(1,2),(0,0),(-1,-1))
ops.StridedSlice()(x,(0,0),(2,3),(1,2)); ops.StridedSlice(end_mask=1)(x,(0,0),(2,3),(1,1))
ops.strided_slice(v,(0,),(0,),(1,)); ops.rot90(x,1,(0,1)); ops.meshgrid(s,v); ops.meshgrid(s,s)
ops.Meshgrid('ij')((v,v)); ops.Meshgrid()((v,v,v)); ops.cartesian_prod(v); ops.cartesian_prod(v,v); ops.addn((x,x))
ops.cast(x,ms.float32).T; ops.expand(x,Tensor([2,3])); ops.expand(x,Tensor([2,2,3])); ops.clip_by_norm(i,100)
ops.cast(x,ms.float32); ops.Cast()(x,ms.float32); ops.reshape(x,(2,3)); ops.squeeze(x); ops.squeeze(o)
ops.broadcast_to(x,(2,3)); ops.BroadcastTo((2,3))(x); ops.BroadcastTo((-1,3))(x); ops.broadcast_to(x,(-1,3))
ops.stop_gradient(x); ops.StopGradient()(x); ops.depend(x,x); ops.transpose(x,(0,1)); ops.Transpose()(x,(0,1))
ops.ravel(x); ops.t(x); ops.t(v); ops.t(s); ops.dropout(x,0.0,training=False); ops.dropout(x,0.5,training=False)
ops.dropout(x,0.0); ops.dropout1d(x,0.5,training=False); ops.deepcopy(x); ops.unbind(x); ops.unstack(x)
ops.chunk(x,1); ops.split(x,2); ops.Split(0,1)(x); ops.narrow(x,0,0,2); ops.swapaxes(x,0,0); ops.swapdims(x,0,0)
ops.movedim(x,0,0); ops.moveaxis(x,0,0); ops.permute(x,(0,1)); ops.atleast_1d(x); ops.atleast_1d(v)
ops.atleast_1d([v]); ops.atleast_2d(x); ops.atleast_2d(v); ops.atleast_3d(q); ops.atleast_3d(x)
ops.expand_dims(x,0); ops.ExpandDims()(x,0); ops.sum(x,()); ops.sum(s); ops.mean(s); ops.mean(x,())
ops.ReduceSum()(x,()); ops.ReduceSum(skip_mode=True)(x,()); ops.reduce_sum(x,()); ops.ReduceMean()(x,())
ops.tile(x,(1,1)); ops.tile(x,()); ops.Tile()(x,(1,1)); ops.repeat_interleave(x,1,0); ops.repeat_elements(x,1,0)
ops.rot90(x,0,(0,1)); ops.rot90(x,4,(0,1)); ops.flip(x,()); ops.fliplr(x); ops.reverse(x,[0]); ops.pad(x,(0,0))
ops.pad(x,()); ops.pad(x,[]); ops.Pad(((0,0),(0,0)))(x); ops.MirrorPad('SYMMETRIC')(x,Tensor([[0,0],[0,0]]))
ops.Reshape()(x,(2,3)); ops.Squeeze()(o); ops.Squeeze()(x); ops.Flatten()(x)
ops.StridedSlice()(x,(0,0),(2,3),(1,1)); ops.slice(x,(0,0),(2,3)); ops.Slice()(x,(0,0),(2,3)); ops.real(x)
ops.Real()(x); ops.Real()(z); ops.real(z); ops.conj(x); ops.Conj()(x); ops.positive(x); ops.diag(v)
ops.view_as_real(z); ops.matrix_power(m,1); ops.pow(x,1); ops.mul(x,1); ops.add(x,0); ops.round(i); ops.trunc(i)
ops.abs(b); ops.nan_to_num(x); ops.relu(x); ops.dropout(x,p=1e-9,training=False); ops.tril(x,5); ops.triu(x,-5)
ops.cummax(v,0); ops.unique_consecutive(v); ops.gather(x,Tensor([0,1]),0); ops.clip(x,0); ops.block_diag(x)
ops.interpolate(q,3,mode='nearest'); ops.full_like(x,1); ops.isnan(x); ops.ReduceMax()(x,()); ops.logical_not(b)
ops.concat((x,)); ops.Concat()((x,)); ops.Stack()((x,)); ops.hstack((x,)); ops.vstack((x,)); ops.stack(x)
ops.Stack()(x); ops.AddN()([i]); ops.addn((v,v)); ops.clip_by_norm((x,),100); ops.clip_by_norm(h,100)
ops.clip_by_norm(x,100,norm_type=1); ops.clip_by_norm(x,100,norm_type=float('inf'))
mint.flatten(x); mint.flatten(x,1); mint.flatten(q,1); mint.flatten(q,0,1); mint.flatten(v); mint.flatten(s)
mint.nn.Flatten()(q); mint.nn.Flatten(0)(q); mint.meshgrid(v,v); mint.meshgrid(v,e); mint.meshgrid(e,v)
mint.cat([x]); mint.concat([x]); mint.diff(v,0); mint.diff(v,n=0,append=v); mint.diff(i,0); mint.diff(b,0)
mint.diff(v,-1); mint.nn.functional.dropout(x,0.5,False); mint.nn.functional.dropout(x,0.0)
mint.nn.functional.dropout(x,0.0,True); mint.nn.functional.dropout(i,0.5,False)
mint.nn.Dropout(0.5).set_train(False)(x); mint.nn.Dropout(0.0)(x); mint.nn.Dropout(0.0).set_train()(x)
mint.nn.Dropout(0.0).set_train(False)(x); mint.nn.Dropout2d(0.5).set_train(False)(q); mint.nn.Dropout2d(0.5)(q)
mint.flatten(q,1,1); mint.flatten(q,2); mint.flatten(x,0,0); mint.nn.Flatten(1,1)(q); mint.meshgrid(v)
mint.meshgrid(v,v,indexing='xy'); mint.meshgrid([v,v]); mint.nn.Flatten()(x); mint.squeeze(x,0)
mint.broadcast_to(x,(2,3)); mint.nn.Identity()(x); mint.nn.Identity(3,a=2)(x); mint.t(x); mint.t(v); mint.t(s)
mint.unbind(x); mint.chunk(x,1); mint.split(x,2); mint.narrow(x,0,0,2); mint.swapaxes(x,0,0); mint.permute(x,(0,1))
mint.sum(x,()); mint.sum(s); mint.tile(x,(1,)); mint.flip(x,()); mint.real(x); mint.real(z); mint.round(i)
mint.trunc(i)
F.dropout(x,0.0,False); F.dropout(x,0.5,False); F.dropout(x,0.0); F.pad(x,()); F.relu(x)
mnp.meshgrid(v,v); mnp.meshgrid(v); mnp.meshgrid(v,e); mnp.meshgrid(v,e,sparse=True)
mnp.meshgrid(v,e,indexing='ij'); mnp.concatenate(x); mnp.concatenate([x]); mnp.concatenate((x,))
mnp.concatenate(x,axis=None); mnp.concatenate([x],axis=None); mnp.concatenate(q); mnp.concatenate([v])
mnp.hstack(x); mnp.hstack([x]); mnp.hstack(v); mnp.hstack(q); mnp.vstack(x); mnp.vstack(q); mnp.vstack([x])
mnp.vstack(v); mnp.dstack(x); mnp.dstack(q); mnp.dstack([x]); mnp.stack(x); mnp.stack([x]); mnp.stack(q)
mnp.column_stack(x); mnp.column_stack([x]); mnp.column_stack(q); mnp.append(x,v); mnp.roll(x,(0,0),(0,1))
mnp.roll(x,(0,),0); mnp.roll(x,0,(0,1)); mnp.roll(x,3); mnp.roll(x,6); mnp.roll(x,3,1); mnp.roll(x,2,0)
mnp.roll(x,(0,1),(0,1)); mnp.roll(v,0); mnp.roll(s,0); mnp.flip(x,[]); mnp.flip(s); mnp.flip(s,())
mnp.polyint(i[0],0); mnp.polyint(s,0); mnp.polyint(s,1); mnp.polyder(i[0],0); mnp.polyder(s,0); mnp.polyint(h[0],0)
mnp.polyint(v,0,k=1); mnp.matrix_power(m,0); mnp.concatenate([s],None); mnp.concatenate(q,1)
mnp.concatenate(q,axis=None); mnp.concatenate(x,0); mnp.stack([s]); mnp.stack([v],2); mnp.stack([v],5)
mnp.hstack(s); mnp.vstack(s); mnp.dstack(s); mnp.column_stack(s); mnp.hstack(i); mnp.hstack([v]); mnp.vstack([x,x])
mnp.meshgrid(v,sparse=True); mnp.meshgrid(v,v,sparse=True,indexing='ij'); mnp.ix_(v); mnp.ix_(v,v)
mnp.asfarray(x).T; mnp.ravel(x); mnp.reshape(x,(2,3)); mnp.asarray(x); mnp.array(x); mnp.array(x,copy=False)
mnp.array(x,copy=True); mnp.asarray(x,ms.float32); mnp.asarray(x,ms.float16)
mnp.array(x,dtype=ms.float32,copy=False); mnp.array(v,copy=False,ndmin=2); mnp.copy(x); mnp.squeeze(x)
mnp.squeeze(o); mnp.atleast_1d(x); mnp.atleast_2d(x); mnp.atleast_2d(v); mnp.atleast_3d(q); mnp.atleast_1d(s)
mnp.transpose(x); mnp.transpose(v); mnp.transpose(x,(0,1)); mnp.broadcast_to(x,(2,3)); mnp.asfarray(x)
mnp.asfarray(x,ms.float64); mnp.asfarray(i); mnp.asfarray(h); mnp.swapaxes(x,0,0); mnp.moveaxis(x,0,0)
mnp.rollaxis(x,0); mnp.rollaxis(x,0,0); mnp.rollaxis(x,1,1); mnp.expand_dims(x,0); mnp.split(x,1)
mnp.array_split(x,1); mnp.hsplit(x,1); mnp.rot90(x,0); mnp.rot90(x,4); mnp.rot90(x,2); mnp.rot90(x,1)
mnp.flip(x,()); mnp.flip(x); mnp.flipud(x); mnp.fliplr(x); mnp.roll(x,0); mnp.roll(x,0,0); mnp.tile(x,1)
mnp.tile(x,(1,1)); mnp.repeat(x,1); mnp.repeat(x,1,0); mnp.unwrap(x); mnp.clip(x,0,None); mnp.sum(s); mnp.sum(x,())
mnp.mean(s); mnp.amax(s); mnp.max(s); mnp.broadcast_arrays(x); mnp.broadcast_arrays(x,x); mnp.full_like(x,1)
mnp.positive(x); mnp.polyint(v,0); mnp.polyint(v,m=0,k=3); mnp.polyder(v,0); mnp.diff(x,0); mnp.ediff1d(v)
mnp.pad(x,0); mnp.pad(x,((0,0),(0,0))); mnp.diag(v); mnp.diag(x); mnp.diagflat(v); mnp.diagonal(x); mnp.tril(x,5)
mnp.triu(x,-5); mnp.unique(v); mnp.append(v,v); mnp.where(x>0,x,x); mnp.choose(i*0,[x]); mnp.trace(x)
mnp.correlate(v,e); mnp.convolve(v,e); mnp.around(x,0); mnp.rint(x); mnp.trunc(x); mnp.fix(x); mnp.ceil(i)
mnp.average(s); mnp.cumsum(s); mnp.ptp(s); mnp.absolute(b); mnp.fabs(x); mnp.maximum(x,x); mnp.power(x,1)
mnp.matmul(x,x.T); mnp.matrix_power(m,1); mnp.dot(s,s); mnp.kron(s,s); mnp.hypot(s,s); mnp.hstack((x,))
mnp.stack(x,1); mnp.stack(x,-1); mnp.concatenate(i); mnp.concatenate([x],1); mnp.concatenate([i,x]); mnp.append(x,x)
mnp.vstack([v]); mnp.column_stack([v]); mnp.stack((v,)); mnp.stack([v],1); mnp.stack([v],axis=-1); mnp.stack((x,),1)
nn.Flatten()(x); nn.Flatten()(q); nn.Flatten(start_dim=0)(q); nn.Flatten(1,1)(q); nn.Flatten(start_dim=2)(q)
nn.Unflatten(0,(1,2))(x); nn.Dropout2d(0.5).set_train(False)(q); nn.Dropout2d(0.5)(q); nn.Dropout3d(0.5)(q)
nn.Dropout1d(0.5)(v); nn.Dropout1d(0.5)(x); nn.Dropout(p=0.0)(x); nn.Identity()(x); nn.Dropout(p=0.5)(x)
nn.Dropout(p=0.0).set_train()(x); nn.SequentialCell([])(x); nn.SequentialCell(nn.Identity())(x)
nn.Pad(((0,0),(0,0)))(x); nn.ConstantPad1d(0,0.0)(x); nn.ZeroPad2d(0)(q); nn.ReflectionPad1d(0)(x)
nn.ReplicationPad1d(0)(x)
q.flatten(); q.flatten(start_dim=0); q.flatten('F'); q.flatten('F',start_dim=1); x.flatten(); v.flatten()
s.flatten(); x.flatten(1); x.flatten(0,1); x.flatten(start_dim=1); x.adjoint(); z.adjoint(); z.H; x.H; x.mH; x.mT
x.resize(2,2); x.resize(2,3); x.resize(3,2); x.resize((3,2)); x.resize(6); x.resize(3,3); x.resize(1); v.resize(2)
s.resize(1); x.T.resize(2,2); x.T.resize(6); x.resize(0); x.move_to('CPU'); x.to('CPU'); list(x); [a for a in x]
next(iter(x)); list(x)[0]; x.unbind()[0]; x.expand(2,3); x.expand(2,2,3); x.flatten('F'); x.flatten('C')
v.flatten('F'); v.flatten('C'); q.flatten(1); q.flatten(0,0); q.flatten(0,1); q.flatten(1,2); q.flatten(2)
x.flatten(order='C'); x.flatten(end_dim=0); q.flatten(start_dim=1,end_dim=1); q.flatten(-1); x.resize(2,2).resize(2)
x.resize(7); x.resize(0,3); x.move_to('CPU').T; x.astype(ms.float32).T; x.value(); x.type_as(x); x.T.T; x.T.mT
x.t().t(); x.swapaxes(0,1).swapaxes(0,1); x.view(-1).resize(2); x.adjoint().T; x.expand((2,3))
x.expand(Tensor([2,3])); x.expand_as(x); x.type_as(v); (ops.clip_by_norm([x],100),); x.float().T; x.T.float()
x.view(-1).astype(ms.float32); x.float(); x.astype(ms.float32); x.astype(ms.float32,copy=True)
x.astype(ms.float32,copy=False); x.to(ms.float32); x.type(ms.float32); x.astype('float32'); i.int()
i.astype(ms.int32); i.to(ms.int32); h.half(); h.to(ms.float16); b.bool(); x.contiguous(); x.ravel(); x.reshape(2,3)
x.view(2,3); x.broadcast_to((2,3)); x.squeeze(); x.squeeze(0); o.squeeze(); x.unsqueeze(0); x.permute(0,1)
x.transpose(0,1); x.swapaxes(0,0); x.swapaxes(0,1); x.T; v.T; s.T; x.t(); v.t(); s.t(); x.copy(); x.data
x.narrow(0,0,2); x.chunk(1); x.split(2); x.real(); z.real(); x.tile((1,1)); x.tile(()); x.movedim(0,0); x.view_as(x)
x.reshape_as(x); x.swapdims(0,0); x.hsplit(1); x.vsplit(1); x.tensor_split(1); x.diag(); v.diag(); x.positive()
x.conj(); x.sum_to_size((2,3)); x.sum_to_size(2,3); x.flip(()); x.rot90(0,(0,1)); x.rot90(4,(0,1)); Tensor(x)
Tensor(x,dtype=ms.float64); x.sum(()); s.sum(); s.mean(); s.max(); s.min(); s.prod(); x.mean(()); x.max(()); +x; +i
+b; abs(x); x*1; x+0; x/1; x-0; x**1
x[::2]; x[0].float(); x[...]; x[:]; x[0:]; x[None]; x[True]; x[()]; x[:,:]
""".replace(";", "\n").splitlines()
    if line.strip()
]
# What is a Parameter in its Cell here, which is assigned to after the expression.
ASSIGNED = [
    line.strip()
    for line in """
x.float(); x.astype(ms.float32); x.astype(ms.float32,copy=False); x.to(ms.float32); x.type(ms.float32); x.type_as(x)
i.int(); h.half(); x.contiguous(); x.squeeze(); x.broadcast_to((2,3)); x.swapaxes(0,0); x.T; v.T; s.T; v.t(); s.t()
x.value(); x.positive(); x.sum_to_size(2,3); x.rot90(4,(0,1)); x.copy(); ops.identity(x); ops.positive(x); +x
ops.cast(x,ms.float32); ops.Cast()(x,ms.float32); ops.swapaxes(x,0,0); ops.rot90(x,4,(0,1)); ops.depend(x,x)
ops.squeeze(x); ops.addn((x,)); ops.AddN()([x]); ops.t(v); ops.dropout(x,0.5,training=False); F.dropout(x,0.5,False)
F.dropout(x,0.0); ops.adjoint(x); x.resize(2,3); mint.flatten(x,1); mint.flatten(v); mint.diff(v,0)
mnp.concatenate([x]); mnp.concatenate([x],1); mnp.hstack(x); mnp.vstack(x); mnp.dstack(x); mnp.column_stack(x)
mnp.asarray(x); mnp.atleast_3d(q); mnp.rollaxis(x,0); mnp.swapaxes(x,0,0); mnp.rot90(x,4); mnp.roll(x,0,0)
mnp.roll(x,0); mnp.flip(x,()); mnp.polyint(v,0); mnp.polyder(v,0); mnp.matrix_power(m,1); mnp.diff(x,0); x[...]
""".replace(";", "\n").splitlines()
    if line.strip()
]


def operands_of(expression: str) -> list[str]:
    """The names of the Tensors that an expression takes."""
    return [name for name in OPERANDS if re.search(rf"(?<![\w.]){name}\b(?!=)", expression)]


def _names(ms, expression: str) -> dict:
    import mindspore.numpy as mnp

    names = {"ms": ms, "np": np, "mnp": mnp, "F": ms.mint.nn.functional}
    names |= {name: getattr(ms, name) for name in ("Tensor", "ops", "mint", "nn")}
    return names | {name: eval(OPERANDS[name], names) for name in operands_of(expression)}


def _first(result):
    while isinstance(result, (tuple, list)):
        result = result[0]
    return result


def _write(ms, tensor) -> None:
    array = tensor.asnumpy()
    new = ms.Tensor(~array if array.dtype == bool else (array + 1).astype(array.dtype))
    if tensor.ndim:
        tensor[:] = new
    else:
        tensor.copy_(new)


def shares(ms, expression: str, name: str) -> list[bool]:
    """Whether a write into an operand changes the first result, and a write into the result the operand."""
    changed = []
    for written in (0, 1):
        names = _names(ms, expression)
        pair = names[name], _first(eval(expression, names))
        before = pair[1 - written].asnumpy().copy()
        _write(ms, pair[written])
        changed.append(not np.array_equal(before, pair[1 - written].asnumpy()))
    return changed


def program(expression: str) -> str:
    """A program for `random_programs.evaluate` that assigns to the Parameter after the expression."""
    [name] = operands_of(expression)
    body = re.sub(rf"(?<![\w.]){name}\b(?!=)", "self.w", expression)
    return f"""
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter({OPERANDS[name]}, name="w")

    def construct(self):
        r = {body}
        r = r[0] if isinstance(r, (tuple, list)) else r
        self.w = self.w * 2
        return r

def main():
    net = Net()
    before = net.w.asnumpy().copy()
    show(bool(np.array_equal(net().asnumpy(), 2 * before)))
"""
