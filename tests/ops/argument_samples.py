"""Samples of unusual but legal arguments, and of refusals, of the operations that programs use most; see `samples.py`.

To add an operation, add a sample and run `python -m tests.conformance.record ops_arguments` with an interpreter that has MindSpore.
"""
# ruff: noqa: E501 - as many samples a line as there are

from tests.ops import samples as first

SETUP = (
    first.SETUP
    + """
q = Tensor(np.arange(24).reshape(2, 3, 4) % 7 - 3, ms.float32)
e = Tensor(np.zeros((0, 3)), ms.float32)
s = Tensor(2.5, ms.float32)
si = Tensor(3, ms.int32)
n = Tensor([[1.0, np.nan, 3.0], [np.inf, -2.0, 0.5]], ms.float32)
c = Tensor(np.array([[1 + 2j, -2, 3j], [4, 5 - 1j, -6.5]], np.complex64))
v = Tensor([3.0, 1.0, 2.0], ms.float32)
k = Tensor([1, 2, 3])
m3 = Tensor(np.array([[4.0, 1, 2], [1, 3, 0.5], [0, -1, 2]], np.float32))
z = np.arange(6).reshape(2, 3)
"""
)

TOPICS = {
    "shapes": r"""
ops.reshape(x,(3,2)); ops.reshape(x,[3,2]); ops.reshape(x,(-1,)); ops.reshape(x,-1); ops.reshape(x,(4,2)); ops.reshape(x,(-1,-1));
ops.reshape(x,Tensor([3,2])); ops.reshape(e,(-1,)); ops.reshape(e,(0,-1)); ops.reshape(e,(3,0)); ops.reshape(s,(1,1)); ops.reshape(x,());
ops.reshape(s,()); ops.reshape(x,(0,-1)); ops.reshape(x,None); ops.reshape(3,(1,)); x.reshape(3,2); x.reshape((3,2)); x.reshape([3,2]); x.reshape(-1);
x.reshape((-1,2)); x.reshape(Tensor([3,2])); x.reshape(); x.reshape(3,-1); x.view(3,2); x.view((3,2)); x.view(-1); x.view([6]); x.view(4,2);
x.view(2,-1,1); x.T.view(-1); x.view(); ops.transpose(x,(1,0)); ops.transpose(x,[1,0]); ops.transpose(x,(0,)); ops.transpose(x,(0,0));
ops.transpose(x,(-1,0)); ops.transpose(x,(1,2)); ops.transpose(q,(2,0,1)); ops.transpose(q,(0,-1,1)); ops.transpose(x,1,0); ops.transpose(x,None);
ops.transpose(s,()); x.transpose(); x.transpose(1,0); x.transpose((1,0)); x.transpose([1,0]); q.transpose(0,2); q.transpose(0,2,1);
q.transpose(-1,0,1); q.transpose(0,1,1); x.transpose(0); x.transpose(None); q.permute(2,0,1); q.permute((2,0,1)); q.permute(-1,0,1);
q.permute([2,0,1]); q.permute(0,1); ops.permute(q,(2,0,1)); ops.permute(q,2); ops.permute(q,(0,0,1)); x.swapaxes(0,1); x.swapaxes(-1,0);
x.swapaxes(0,2); x.swapaxes(axis0=0,axis1=1); ops.swapaxes(q,0,-1); ops.swapaxes(q,0,3); ops.swapaxes(q,0.,1); x.t(); s.t(); x.T; q.T; s.T;
ops.t(x[0]); ops.squeeze(x[None]); ops.squeeze(x[None],0); ops.squeeze(x[None],1); ops.squeeze(x[None],-3); ops.squeeze(x[None],(0,));
ops.squeeze(x[None],3); ops.squeeze(x[None],()); ops.squeeze(x[None],[0]); ops.squeeze(x[None],None); ops.squeeze(s); ops.squeeze(s,0);
ops.squeeze(x[None],1.5); x[None].squeeze(); x[None].squeeze(0); x[None].squeeze(axis=0); x[None].squeeze((0,)); x[None].squeeze(1); x.squeeze(5);
ops.Squeeze()(x[None]); ops.Squeeze(0)(x[None]); ops.Squeeze(1)(x[None]); ops.Squeeze((0,1))(x[None]); ops.Squeeze(5)(x[None]); ops.Squeeze(1.5);
ops.Squeeze(-1)(x[...,None]); ops.expand_dims(x,0); ops.expand_dims(x,-1); ops.expand_dims(x,2); ops.expand_dims(x,3); ops.expand_dims(x,-4);
ops.expand_dims(x,-3); ops.expand_dims(x,1.); ops.expand_dims(s,0); ops.expand_dims(x,None); ops.expand_dims(x,True); ops.expand_dims(x,Tensor(0));
ops.expand_dims(3,0); x.expand_dims(0); x.expand_dims(-1); x.expand_dims(5); x.unsqueeze(0); x.unsqueeze(-1); x.unsqueeze(3); x.unsqueeze(dim=1);
ops.unsqueeze(x,1); ops.unsqueeze(x,dim=-1); ops.ExpandDims()(x,0); ops.ExpandDims()(x,-1); ops.ExpandDims()(x,3); ops.ExpandDims()(x,1.5);
ops.concat((x,x)); ops.concat([x,x]); ops.concat((x,x),1); ops.concat((x,x),-1); ops.concat((x,x),axis=0); ops.concat((x,)); ops.concat(());
ops.concat((x,x),2); ops.concat((x,q)); ops.concat((x,x[:1])); ops.concat((x,x[:,:1])); ops.concat((x,e)); ops.concat((s,s)); ops.concat((x,3));
ops.concat(x); ops.concat((b,b)); ops.concat((x,x),1.); ops.cat((x,x)); ops.cat([x,x],1); ops.cat(x,0); ops.cat((x,x),axis=-2); ops.Concat()((x,x));
ops.Concat(1)([x,x]); ops.Concat(-1)((x,x)); ops.Concat(2)((x,x)); ops.Concat(1.5); ops.Concat()(x); ops.Concat()((x,)); ops.stack((x,x));
ops.stack([x,x],1); ops.stack((x,x),-1); ops.stack((x,x),2); ops.stack((x,x),3); ops.stack((x,i)); ops.stack((x,x[:1])); ops.stack(());
ops.stack((x,)); ops.stack(x); ops.stack((s,s)); ops.stack((x,x),1.); ops.Stack()((x,x)); ops.Stack(1)([x,x]); ops.Stack(-1)((x,x));
ops.Stack(3)((x,x)); ops.Stack()(x); ops.stack((b,b)); ops.stack((x,h)); ops.split(x,1); ops.split(x,2,1); ops.split(x,(1,2),1);
ops.split(x,[1,2],axis=1); ops.split(x,(1,1),1); ops.split(x,0); ops.split(x,5); ops.split(x,-1); ops.split(x,1,2); ops.split(x,1.);
ops.split(q,2,axis=-1); x.split(1); x.split(2,1); x.split((1,2),1); x.split([1,2],axis=1); x.split(1,-1); ops.Split(1,3)(x); ops.Split(0,2)(x);
ops.Split(1,2)(x); ops.Split(2,1)(x); ops.Split(1.,2); ops.Split(0,0); ops.Split()(x); ops.chunk(x,2); ops.chunk(x,2,1); ops.chunk(x,5,1);
ops.chunk(x,0); ops.chunk(q,3,-1); x.chunk(2,0); ops.unbind(x); ops.unbind(x,1); ops.unbind(x,-1); ops.unbind(x,2); ops.unbind(s); ops.unstack(x);
ops.unstack(x,1); ops.unstack(x,3); ops.Unstack(1)(x); ops.tensor_split(x,2); ops.tensor_split(x,(1,),1); ops.tensor_split(x,[1,2],axis=1);
ops.hsplit(x,3); ops.vsplit(x,2); ops.hsplit(x,2); ops.tile(x,(2,)); ops.tile(x,(2,1)); ops.tile(x,(1,2,1)); ops.tile(x,2); ops.tile(x,());
ops.tile(x,(0,1)); ops.tile(x,(-1,1)); ops.tile(s,(2,)); ops.tile(b,(1,2)); ops.tile(x,None); ops.tile(x,Tensor([2,1])); x.tile((2,1));
x.tile((1,2,2)); x.tile(2); ops.Tile()(x,(2,1)); ops.Tile()(x,(2,)); ops.Tile()(x,(1,2,2)); ops.repeat_interleave(x,2); ops.repeat_interleave(x,2,0);
ops.repeat_interleave(x,(1,2),0); ops.repeat_interleave(x,Tensor([1,2]),0); ops.repeat_interleave(x,2,2); ops.repeat_elements(x,2,1);
ops.repeat_elements(x,2,-1); ops.repeat_elements(x,0,0); ops.repeat_elements(x,2,5); ops.broadcast_to(x,(2,2,3)); ops.broadcast_to(x,(2,3));
ops.broadcast_to(x,(-1,3)); ops.broadcast_to(x,(3,3)); ops.broadcast_to(x[:1],(2,3)); ops.broadcast_to(x,[2,2,3]); ops.broadcast_to(s,(2,));
ops.broadcast_to(x,(3,)); ops.broadcast_to(x,(2,-1)); ops.broadcast_to(x,(-1,2,3)); ops.broadcast_to(x,6); x.broadcast_to((2,2,3));
x[:1].broadcast_to((2,-1)); ops.BroadcastTo((2,2,3))(x); ops.BroadcastTo((-1,3))(x); ops.BroadcastTo((3,3))(x); ops.BroadcastTo(3); x.expand((2,2,3));
x.expand(2,2,3); x[:1].expand(2,3); x[:1].expand(4,-1); x.expand_as(q[0,:2,:3]); x[0].expand_as(x); x.expand_as(x[0]); ops.flatten(x); ops.flatten(q);
ops.flatten(q,start_dim=1); ops.flatten(q,start_dim=0,end_dim=1); ops.flatten(q,order='F'); ops.flatten(s); ops.flatten(q,start_dim=2,end_dim=1);
ops.flatten(q,start_dim=5); ops.flatten(q,order='A'); ops.flatten(e); ops.Flatten()(q); ops.Flatten()(x[0]); ops.Flatten()(e); q.flatten();
q.flatten('F'); q.flatten(start_dim=1); q.flatten(1); q.flatten(0,1); s.flatten(); ops.ravel(x); x.ravel(); ops.ravel(s);
""",
    "places": r"""
ops.gather(x,Tensor([0,1]),0); ops.gather(x,Tensor([0,1]),1); ops.gather(x,Tensor([[0,1],[1,0]]),1); ops.gather(x,Tensor([0,1]),-1);
ops.gather(x,Tensor(1),0); ops.gather(x,Tensor([5]),0); ops.gather(x,Tensor([-1]),0); ops.gather(x,Tensor([0]),2); ops.gather(x,[0,1],0);
ops.gather(x,1,0); ops.gather(x,Tensor([0]),Tensor(0)); ops.gather(b,Tensor([0]),0); ops.gather(x,Tensor([0],ms.int32),1.);
ops.gather(e,Tensor([0]),1); ops.gather(x,Tensor(np.zeros(0),ms.int32),0); ops.Gather()(x,Tensor([0,1]),1); ops.Gather()(x,Tensor([2]),0);
ops.Gather(1)(q,Tensor([[0,1],[1,0]]),1); ops.gather(q,Tensor([[0,1],[1,0]]),2,1); ops.gather(q,Tensor([[0,1],[1,0]]),1,batch_dims=1);
ops.gather_nd(x,Tensor([[0,1],[1,2]])); ops.gather_nd(x,Tensor([[0],[1]])); ops.gather_nd(x,Tensor([0,1])); ops.gather_nd(x,Tensor([[0,5]]));
ops.gather_nd(x,Tensor([[-1,0]])); ops.gather_nd(x,Tensor([[0,1,2]])); ops.gather_nd(q,Tensor([[[0,1]],[[1,2]]])); ops.GatherNd()(x,Tensor([[0,1]]));
ops.gather_d(x,1,Tensor([[0,0,2],[1,2,0]])); ops.gather_d(x,0,Tensor([[0,1]])); ops.gather_d(x,-1,Tensor([[0,-1],[1,2]]));
ops.gather_d(x,1,Tensor([[5]])); ops.gather_d(x,2,Tensor([[0]])); ops.GatherD()(x,1,Tensor([[0],[1]]));
ops.gather_elements(x,1,Tensor([[0],[1]],ms.int32)); ops.gather_elements(x,1,Tensor([[0.]])); x.gather(Tensor([0]),1); x.gather(1,Tensor([[0],[1]]));
x.gather_elements(1,Tensor([[0],[1]])); x.take(Tensor([0,1]),1); x.take(Tensor([0,4])); x.take(Tensor([9]),0); x.take(Tensor([9]),0,mode='wrap');
x.index_select(0,Tensor([1,0])); ops.index_select(x,1,Tensor([2,0])); ops.index_select(x,-1,Tensor([2])); ops.index_select(x,0,Tensor([5]));
ops.index_select(x,3,Tensor([0])); ops.index_select(x,0,Tensor([[0]])); ops.select(b,x,x*2); ops.select(b,x,3.0); ops.select(b,2,x); ops.select(b,i,i);
ops.select(b,x,i); ops.select(b,1,2); ops.select(b[0],x,x); ops.Select()(b,x,x*2); ops.Select()(b,x,i); ops.Select()(b,x,x[0]); ops.where(b,x,x*2);
ops.where(b,x,0); ops.where(b,x,0.); ops.where(b,1,x); ops.where(b,1,2); ops.where(b,1.5,2); ops.where(b[0],x,q[0,:1,:3]); ops.where(b,x,i);
ops.where(b,i,2.5); ops.where(b); x.where(b,i); x.where(b,0); ops.masked_fill(x,b,0.5); ops.masked_fill(x,b[0],Tensor(1.)); ops.masked_fill(x,x,1);
ops.masked_fill(h,b,1.5); ops.masked_fill(b,b,False); x.masked_fill(b,-1e9); x.masked_fill(~b,float('-inf')); i.masked_fill(b,0);
ops.masked_select(x,b); ops.masked_select(x,b[0]); x.masked_select(b); ops.nonzero(x); ops.nonzero(e); x.nonzero(); b.nonzero();
ops.one_hot(Tensor([0,1,2]),3,1,0); ops.one_hot(Tensor([0,1,2]),3,1.0,0.0); ops.one_hot(Tensor([0,1,2]),3,Tensor(1.0),Tensor(0.0));
ops.one_hot(Tensor([0,5]),3,1,0); ops.one_hot(Tensor([-1,1]),3,1.,0.); ops.one_hot(Tensor([[0,1]]),2,1,0,axis=1); ops.one_hot(Tensor([0,1]),2,5,2,-1);
ops.one_hot(Tensor([0,1]),2,1,0,0); ops.one_hot(Tensor([0,1]),2,1,0,2); ops.one_hot(Tensor([0.]),2,1,0); ops.one_hot(Tensor([0,1]),-1,1,0);
ops.one_hot(Tensor([0,1]),0,1,0); ops.one_hot(Tensor([0,1]),-2,1,0); ops.one_hot(Tensor([0,1]),2); ops.one_hot(Tensor(1),3,1,0);
ops.OneHot()(Tensor([0,1]),3,Tensor(1.0),Tensor(0.0)); ops.OneHot(axis=0)(Tensor([0,1],ms.int32),3,Tensor(1.0),Tensor(0.0));
ops.OneHot()(Tensor([[0,1]]),3,Tensor(1,ms.int32),Tensor(0,ms.int32)); ops.slice(x,(0,1),(1,2)); ops.slice(x,[0,1],[2,-1]); ops.slice(x,(0,),(1,));
ops.slice(x,(0,1),(1,5)); ops.slice(x,(0,-1),(1,1)); ops.slice(x,(0,1),(0,2)); ops.Slice()(x,(0,1),(1,2)); ops.Slice()(x,(0,3),(1,1));
ops.strided_slice(x,(0,0),(2,3),(1,2)); ops.strided_slice(x,(1,2),(0,0),(-1,-1)); ops.strided_slice(x,(0,),(1,),(1,));
ops.strided_slice(x,(0,0),(2,3),(0,1)); ops.strided_slice(x,(0,-2),(2,-1),(1,1)); ops.strided_slice(x,(0,0),(9,9),(1,1));
ops.strided_slice(q,(0,1,0),(2,2,4),(1,1,2),shrink_axis_mask=2); ops.strided_slice(q,(0,1,0),(2,2,4),(1,1,2),begin_mask=2);
ops.strided_slice(q,(0,1,0),(2,2,4),(1,1,2),end_mask=2); ops.strided_slice(q,(0,1,0),(2,2,4),(1,1,2),ellipsis_mask=2);
ops.StridedSlice()(x,(0,0),(1,3),(1,1)); ops.StridedSlice(1)(x,(1,0),(2,3),(1,1)); ops.narrow(x,1,1,2); ops.narrow(x,1,0,5); ops.narrow(x,-1,0,2);
ops.narrow(x,3,0,1); ops.pad(x,(1,1)); ops.pad(x,[1,1,0,2]); ops.pad(x,(1,1),value=3.); ops.pad(x,(1,1),'constant',2); ops.pad(x,(-1,0));
ops.pad(x[None],(1,1),mode='reflect'); ops.pad(x[None],(1,2),mode='replicate'); ops.pad(x[None],(1,1),mode='circular'); ops.pad(x,(1,));
ops.pad(x,(1,1,1,1,1,1)); ops.pad(x,1); ops.pad(x,((1,1),(0,0))); ops.pad(i,(1,1)); ops.pad(b,(1,0)); ops.pad(x,Tensor([1,1]));
ops.pad(x,(1,1),mode='x'); ops.pad(x,()); ops.Pad(((1,1),(0,2)))(x); ops.Pad(((1,1),))(x); ops.Pad(((0,-1),(0,0)))(x); ops.Pad([[1,1],[0,0]]);
ops.Pad(((1,1),(0,2)))(b); ops.MirrorPad()(x,Tensor([[1,1],[0,1]])); ops.MirrorPad('SYMMETRIC')(x,Tensor([[1,1],[2,1]]));
ops.MirrorPad()(x,Tensor([[2,1],[0,1]])); ops.topk(x,2); ops.topk(x,0); ops.topk(x,4); ops.topk(x,2,dim=0); ops.topk(x,2,-1,False);
ops.topk(x,2,sorted=False); ops.topk(x,2.); ops.topk(i,1); ops.topk(h,1); ops.topk(u,2); ops.topk(x,1,3); ops.TopK()(x,1); ops.TopK(True)(i,2);
ops.TopK(False)(x,2); ops.TopK()(x,5); ops.sort(x,-1); ops.sort(x,0,True); ops.sort(x,2); ops.sort(u); ops.sort(s); ops.sort(x,1.);
ops.sort(x,axis=0,descending=True); ops.argsort(x,-1); ops.argsort(x,0,descending=True); ops.argsort(x,3); x.argsort(); x.argsort(0);
x.argsort(axis=-1,descending=True); x.sort(); x.sort(axis=0); x.sort(-1,True); ops.Sort()(x); ops.Sort(0,True)(x); ops.Sort(3)(x);
ops.unique(Tensor([3,1,1,2])); ops.unique(x); ops.unique(Tensor([2.,1.,2.])); ops.Unique()(Tensor([3,1,1,2],ms.int32)); ops.flip(x,0);
ops.flip(x,(0,1)); ops.flip(x,[1]); ops.flip(x,2); ops.flip(x,()); ops.ReverseV2([0])(x); ops.ReverseV2((1,))(x); ops.ReverseV2([3])(x);
ops.ReverseV2(0)(x); ops.roll(x,1.5,0); ops.rot90(x,1,(0,1)); ops.rot90(x,2,[0,1]); ops.rot90(x,1,(0,0)); ops.tril(x); ops.tril(x,1); ops.triu(x,-1);
ops.triu(q); ops.tril(x[0]); ops.tril(b); ops.triu(i,2); ops.diag(x); ops.diag(x[0]); ops.diag(i[0]); ops.diagonal(x); ops.diagonal(q,1,0,2);
ops.diagonal(x,5); ops.diagonal(x[0]); ops.meshgrid(x[0],x[0],indexing='ij'); ops.meshgrid(x[0],x[1],indexing='xy'); ops.meshgrid(x[0]);
ops.meshgrid(x,x[0]); ops.meshgrid(x[0],x[0],indexing='a');
""",
    "makers": r"""
ops.zeros((2,3)); ops.zeros(2); ops.zeros([2,3]); ops.zeros((2,3),ms.int32); ops.zeros((0,2)); ops.zeros((-1,2)); ops.zeros((2.,));
ops.zeros(Tensor([2,3])); ops.zeros((2,3),dtype=ms.bool_); ops.zeros(2,ms.float16); ops.zeros('a'); ops.zeros((2,),None); ops.ones((2,3));
ops.ones(2,ms.int64); ops.ones([2],dtype=ms.float64); ops.ones((-1,)); ops.ones(Tensor([2])); ops.ones(2.5); ops.Zeros()((2,3),ms.float32);
ops.Zeros()(2,ms.int32); ops.Zeros()((-1,),ms.int32); ops.Ones()((2,3),ms.float32); ops.Ones()(2,ms.bool_); ops.Ones()([2],ms.float32);
ops.zeros_like(x,dtype=ms.int32); ops.ones_like(i,dtype=ms.float32); ops.zeros_like(b); ops.ones_like(s); ops.full((2,3),1.5); ops.full((2,),3);
ops.full((2,),True); ops.full((2,),3,dtype=ms.float32); ops.full([2],1); ops.full((-1,),1); ops.full((2,),x); ops.full_like(x,3); ops.full_like(i,2.5);
ops.full_like(x,2,dtype=ms.int32); ops.full_like(b,1); ops.fill(ms.float32,(2,3),1); ops.fill(ms.int32,(2,),2.5); ops.fill(ms.bool_,(2,),1);
ops.Fill()(ms.float32,(2,2),1); ops.Fill()(ms.int32,(2,),1); ops.arange(5); ops.arange(1,5); ops.arange(1,5,2); ops.arange(5.); ops.arange(0,1,0.3);
ops.arange(5,dtype=ms.float32); ops.arange(5,0,-2); ops.arange(0); ops.arange(5,1); ops.arange(1,5,0); ops.arange(start=2,end=5);
ops.arange(0,5,step=2); ops.arange(5,dtype=ms.int32); ops.arange(2.5,5); ops.arange(Tensor(3)); ops.arange('a'); ops.arange(-3); ops.range(0,5,1);
ops.range(0,5,2); ops.range(0.,1.,0.25); ops.range(5); ops.range(1,4); ops.range(Tensor(0),Tensor(5),Tensor(2)); ops.range(5,0,-1); ops.range(0,5,0);
ops.range(0,5,-1); ops.linspace(0,1,5); ops.linspace(0.,10.,3); ops.linspace(1,1,2); ops.linspace(0,1,1); ops.linspace(0,1,0);
ops.linspace(Tensor(0.),Tensor(4.),5); ops.linspace(5,0,6); ops.eye(3); ops.eye(2,3); ops.eye(2,3,ms.int32); ops.eye(3,dtype=ms.bool_); ops.eye(0);
ops.eye(-1); ops.eye(2.); ops.eye(2,None,ms.float16); ops.Eye()(2,3,ms.float32); ops.logspace(0.,2.,3); ops.cast(x,ms.int32); ops.cast(x,ms.bool_);
ops.cast(i,ms.float16); ops.cast(3,ms.float32); ops.cast(2.7,ms.int32); ops.cast(True,ms.int32); ops.cast(x,'int32'); ops.cast(x,np.int32);
ops.cast(c,ms.float32); ops.cast(x,ms.complex64); ops.cast(-x,ms.uint8); ops.cast([1,2],ms.float32); ops.cast(x,None); ops.Cast()(x,ms.int32);
ops.Cast()(3,ms.float32); ops.Cast()(x,ms.float32); ops.Cast()(b,ms.float16); ops.Cast()(x,3); x.astype(ms.int32); x.astype('float16');
x.astype(np.float64); x.astype(int); x.astype(float); x.astype(bool); x.astype('int'); x.astype('bool_'); x.astype('q9'); x.astype(None); x.astype(3);
x.astype(ms.float32,copy=False); x.int(); x.float(); x.long(); x.half(); x.bool(); b.int(); x.to(ms.float16); x.to('float16'); x.to(i); i.to(x.dtype);
x.type(); x.type(ms.int32); x.type_as(i); ops.scalar_to_tensor(3); ops.scalar_to_tensor(2.5); ops.scalar_to_tensor(True);
ops.scalar_to_tensor(3,ms.float32); ops.scalar_to_tensor(2.5,ms.int32); ops.scalar_to_tensor('a'); ops.ScalarToTensor()(3,ms.float32); ops.shape(x);
ops.shape(s); ops.Shape()(x); ops.dtype(x); ops.DType()(i); ops.size(x); ops.Size()(x); ops.rank(q); ops.Rank()(s); ops.shape(3); ops.dtype(3);
x.shape; s.shape; e.size; x.ndim; x.dim(); x.numel(); x.itemsize; x.nbytes; x.strides; x.item(); s.item(); x.item(0); x.item((0,1)); x[0,0].item();
x.tolist(); s.tolist(); x.copy(); x.stride(); x.stride(0); x.size; x.is_floating_point(); i.is_floating_point(); x.is_complex(); x.element_size();
ops.clip_by_value(x,-1,2); ops.clip_by_value(x,-1.,2.); ops.clip_by_value(x,None,2); ops.clip_by_value(x,1);
ops.clip_by_value(x,Tensor(-1.),Tensor(2.)); ops.clip_by_value(i,0,2.5); ops.clip_by_value(x,3,1); ops.clip_by_value(x,x-1,x[0]); ops.clip_by_value(x);
ops.clip_by_value((x,i),0,1); ops.clip_by_value([x,x],0,1); ops.clamp(x,0,1); ops.clamp(x,min=0); ops.clamp(x,max=1.); ops.clamp(i,0.5,2.5);
ops.clamp(x); ops.clip(x,0,1); x.clip(0,1); x.clip(None,1); x.clip(0,None); x.clamp(0,1); x.clamp(min=0); i.clip(0.5,2); x.clip(0,1,ms.int32);
x.clip(); ops.clip_by_norm(x,1.); ops.clip_by_norm(x,5.,(0,1)); ops.clip_by_norm(x,100); ops.clip_by_global_norm((x,x),1.);
ops.clip_by_global_norm([x,x],1); ops.clip_by_global_norm((x,),100.); ops.clip_by_global_norm(x,1.);
""",
    "sums": r"""
ops.matmul(x,x.T); ops.matmul(x,x[0]); ops.matmul(x[0],x[0]); ops.matmul(x[0],x.T); ops.matmul(q,q.swapaxes(1,2)); ops.matmul(q,x.T[:3]);
ops.matmul(x,x); ops.matmul(x,3); ops.matmul(s,x); ops.matmul(x,i.T); ops.matmul(h,h.T); ops.matmul(h,x.T); ops.matmul(i,i.T); ops.matmul(e,x.T);
ops.matmul(q[None],q[:,None].swapaxes(2,3)); ops.MatMul()(x,x.T); ops.MatMul(transpose_b=True)(x,x); ops.MatMul(True,True)(x,x.T[:2,:]);
ops.MatMul()(q,q); ops.MatMul()(x,i.T); ops.MatMul()(h,h.T); ops.MatMul()(x[0],x); ops.MatMul(1); ops.BatchMatMul()(q,q.swapaxes(1,2));
ops.BatchMatMul(transpose_b=True)(q,q); ops.BatchMatMul(True)(q,q); ops.BatchMatMul()(x,x.T); ops.BatchMatMul()(q,q);
ops.BatchMatMul()(q[None],q.swapaxes(1,2)[None]); x@x.T; x@x[0]; x.matmul(x.T); x.mm(x.T); x.bmm(x); q.bmm(q.swapaxes(1,2));
ops.bmm(q,q.swapaxes(1,2)); ops.bmm(x,x.T); ops.mm(x,x.T); ops.mm(q,q); ops.dot(x,x.T); ops.dot(x[0],x[0]); ops.dot(q,x.T); ops.dot(x,3);
ops.outer(x[0],i[0]); ops.tensor_dot(x,x,((1,),(1,))); ops.tensor_dot(x,x.T,1); ops.tensor_dot(x,x,0); ops.tensor_dot(x,x,([0,1],[0,1]));
ops.tensor_dot(x,x,3); ops.einsum('ij',x,x); ops.einsum('ij->ijk',x); ops.norm(x,ord=1,dim=1); ops.norm(x,2,dim=0,keepdim=True); ops.norm(x,'fro');
ops.norm(x,'nuc'); ops.norm(x,float('inf'),dim=1); ops.norm(x,-float('inf')); ops.norm(x,0,dim=0); ops.norm(x,3,dim=(0,1)); ops.norm(x,'a');
ops.norm(x,dtype=ms.float64); ops.norm(x[0],2.5); ops.norm(q,dim=(0,2)); ops.norm(i,dim=0); x.norm(dim=1); x.norm(2,1,True); x.norm(1);
ops.L2Normalize()(x); ops.L2Normalize(1)(x); ops.L2Normalize(-1,1e-3)(x); ops.L2Normalize(2)(x); ops.L2Normalize([0])(x); ops.L2Normalize(1.5);
ops.softmax(x); ops.softmax(x,0); ops.softmax(x,-2); ops.softmax(x,2); ops.softmax(x,axis=1); ops.softmax(x,1,dtype=ms.float64); ops.softmax(i);
ops.softmax(h); ops.softmax(s,0); ops.softmax(x,(0,1)); ops.softmax(x,1.); ops.Softmax()(x); ops.Softmax(0)(x); ops.Softmax((0,))(x);
ops.Softmax(2)(x); ops.log_softmax(x); ops.log_softmax(x,3); ops.LogSoftmax()(x); ops.LogSoftmax(1.5); ops.relu(i); ops.relu(h); ops.leaky_relu(x);
ops.leaky_relu(x,0.5); ops.leaky_relu(x,1); ops.leaky_relu(i,0.5); ops.elu(x); ops.elu(x,2.); ops.gelu(x,'tanh'); ops.gelu(x,'a');
ops.hardtanh(x,-1,1); ops.hardtanh(i,-1,1); ops.prelu(x,Tensor([0.5])); ops.prelu(x,Tensor([0.5,0.1,0.2])); ops.selu(x); ops.glu(q); ops.glu(x,0);
ops.glu(x); ops.hardshrink(x); ops.softshrink(x,1.); ops.threshold(x,1.,5.); ops.celu(x,2.); ops.logsigmoid(x); ops.tanhshrink(x); ops.softsign(x);
ops.log_softmax(h); ops.cumsum(x,0); ops.cumsum(x,-1); ops.cumsum(x,2); ops.cumsum(i,0,ms.float32); ops.cumsum(u,0); ops.cumsum(b,0); x.cumsum();
x.cumsum(0); x.cumsum(axis=1); x.cumsum(-1,ms.float64); i.cumsum(0); b.cumsum(0); ops.CumSum()(x,1); ops.CumSum(True)(x,0);
ops.CumSum(reverse=True)(x,1); ops.CumSum()(x,3); ops.CumSum(1); ops.cumprod(x,0); ops.cumprod(x,1,ms.float64); ops.addn((x,x)); ops.addn([x,i]);
ops.addn((x,)); ops.addn(x); ops.addn(()); ops.AddN()([x,x]); ops.AddN()((x,x,x)); ops.AddN()(x); ops.addcmul(x,x,x,2.); ops.addcdiv(x,x,x,0.5);
ops.lerp(x,x+1,0.5); ops.lerp(x,x+1,x); ops.addmm(x[:,:2],x,x.T); ops.addmm(x[:,:2],x,x.T,beta=0.5,alpha=2); ops.baddbmm(q,q,q[:,:,:1].swapaxes(1,2));
ops.bias_add(x,x[0]); ops.BiasAdd()(x,x[0]); ops.BiasAdd()(x,x[0,:2]); ops.BiasAdd('NHWC')(x,x[0]); ops.BiasAdd()(q[None],q[0,0,:3]);
ops.BiasAdd()(q[None],q[0,0,:2]); ops.assign(Parameter(x),x*2); ops.assign(Parameter(x),3.); ops.assign(Parameter(x),x[0]); ops.assign(Parameter(x),i);
ops.assign(Parameter(i),x); ops.assign_add(Parameter(x),x); ops.assign_add(Parameter(x),1); ops.assign_add(Parameter(x),1.5);
ops.assign_sub(Parameter(x),2); ops.Assign()(Parameter(x),x); ops.Assign()(Parameter(x),x[0]); ops.AssignAdd()(Parameter(x),x);
ops.AssignAdd()(Parameter(x),1.); ops.AssignSub()(Parameter(i),2); ops.scatter_nd(Tensor([[0],[2]]),Tensor([1.,2.]),(4,));
ops.scatter_nd(Tensor([[0],[0]]),Tensor([1.,2.]),(2,)); ops.scatter_nd(Tensor([[0,1]]),Tensor([5.]),(2,2));
ops.scatter_nd(Tensor([[5]]),Tensor([1.]),(4,)); ops.scatter_nd(Tensor([[0]]),Tensor([1.,2.]),(4,)); ops.scatter_nd(Tensor([[0]]),x[:1],(2,3));
ops.ScatterNd()(Tensor([[0],[2]],ms.int32),Tensor([1.,2.]),(4,)); ops.ScatterNdUpdate()(Parameter(x),Tensor([[0,1]]),Tensor([9.]));
ops.ScatterUpdate()(Parameter(x),Tensor([0],ms.int32),x[1:]); ops.scatter_nd_update(Parameter(x),Tensor([[0],[1]]),x);
ops.scatter_add(Parameter(x),Tensor([0,0],ms.int32),x); ops.tensor_scatter_update(x,Tensor([[0,1]]),Tensor([9.]));
ops.tensor_scatter_add(x,Tensor([[0,1],[0,1]]),Tensor([1.,2.])); ops.tensor_scatter_elements(x,Tensor([[0,2]]),Tensor([[7.,8.]]),1);
ops.tensor_scatter_elements(x,Tensor([[0,2]]),Tensor([[7.,8.]]),1,'add'); ops.scatter(x,1,Tensor([[0,2]]),Tensor([[7.,8.]]));
ops.index_add(Parameter(x),Tensor([0,1],ms.int32),x,0); ops.unsorted_segment_sum(x,Tensor([0,0]),2); ops.unsorted_segment_sum(x,Tensor([1,0]),3);
ops.unsorted_segment_max(x,Tensor([0,0]),2); ops.UnsortedSegmentSum()(x,Tensor([0,0],ms.int32),1); ops.unsorted_segment_sum(x,Tensor([0,-1]),2);
ops.stop_gradient(x); ops.stop_gradient(3); ops.identity(x); ops.Identity()(x); ops.depend(x,x); ops.partial(ops.add,x)(x); ops.argmax(x,0);
ops.argmax(x,dim=1,keepdim=True); ops.argmax(b); ops.argmax(i,-1); ops.argmax(x,5); ops.argmax(s); ops.argmin(x,0,True); ops.argmin(i);
ops.Argmax(1,ms.int64)(x); ops.Argmax(-1)(i); ops.Argmax(0,ms.float32); ops.Argmin(0)(h); ops.ArgMaxWithValue()(x); ops.ArgMaxWithValue(-1,True)(x);
ops.ArgMaxWithValue(2)(x); ops.ArgMaxWithValue()(i); ops.max(x,0); ops.max(x,-1,True); ops.max(x,axis=1,keepdims=True); ops.max(i);
ops.max(x,axis=(0,1)); ops.max(x,5); ops.max(s); ops.min(x,1); x.max(axis=0,initial=2.,where=b); x.max(0,True); x.max(1,False,return_indices=True);
x.min(axis=1,keepdims=True); x.argmax(axis=1); x.argmax(dim=0,keepdim=True);
""",
    "operands": r"""
ops.tanh(c); ops.sigmoid(c); ops.logical_not(None); ops.logical_not([1,2]); ops.silu(c); ops.log2(c); ops.invert(None); ops.invert([1,2]);
ops.positive(b); ops.angle(None); ops.angle([1,2]); ops.Exp()(i); ops.Exp()(u); ops.Ceil()(i); ops.Ceil()(b); ops.Ceil()(u); ops.Sign()(u);
ops.LogicalNot()(3); ops.LogicalNot()(2.5); ops.ReLU6()(d); ops.sum(x,(0,0)); ops.mean(x,(0,0)); ops.prod(x,(0,0)); ops.amax(x,(0,0));
ops.amin(x,(0,0)); ops.any(x,(0,0)); ops.all(x,(0,0)); ops.logsumexp(x,(0,0)); ops.argmin(s); ops.argmin(s,0); ops.argmin(si); ops.argmin(si,0);
ops.nansum(x,(0,0)); ops.nansum(i); ops.nansum(i,0); ops.nansum(u); ops.nansum(u,0); ops.nansum(si); ops.nansum(si,0); ops.nanmean(x,(0,0));
ops.count_nonzero(x,(0,0)); s.argmin(); b.cumsum(); u.cumsum(); ops.add(x,None); ops.add(x,[1,2,3]); ops.add(x,(1,2,3)); ops.sub(x,None);
ops.sub(x,[1,2,3]); ops.sub(x,(1,2,3)); ops.mul(x,None); ops.mul(x,[1,2,3]); ops.mul(x,(1,2,3)); ops.div(u,-3); ops.div(x,None); ops.div(x,[1,2,3]);
ops.div(x,(1,2,3)); ops.pow(x,None); ops.pow(x,[1,2,3]); ops.pow(x,(1,2,3)); ops.maximum(x,None); ops.maximum(x,[1,2,3]); ops.maximum(x,(1,2,3));
ops.minimum(x,None); ops.minimum(x,[1,2,3]); ops.minimum(x,(1,2,3)); ops.equal(x,None); ops.equal(x,[1,2,3]); ops.equal(x,(1,2,3));
ops.not_equal(x,None); ops.not_equal(x,[1,2,3]); ops.not_equal(x,(1,2,3)); ops.not_equal(3,4); ops.not_equal(2.5,3); ops.greater(x,None);
ops.greater(x,[1,2,3]); ops.greater(x,(1,2,3)); ops.greater(3,4); ops.greater(2.5,3); ops.less(x,None); ops.less(x,[1,2,3]); ops.less(x,(1,2,3));
ops.greater_equal(x,None); ops.greater_equal(x,[1,2,3]); ops.greater_equal(x,(1,2,3)); ops.greater_equal(3,4); ops.greater_equal(2.5,3);
ops.less_equal(x,None); ops.less_equal(x,[1,2,3]); ops.less_equal(x,(1,2,3)); ops.less_equal(3,4); ops.less_equal(2.5,3); ops.logical_and(x,None);
ops.logical_and(x,[1,2,3]); ops.logical_and(x,(1,2,3)); ops.logical_and(x,x[:,:2]); ops.logical_or(x,None); ops.logical_or(x,[1,2,3]);
ops.logical_or(x,(1,2,3)); ops.logical_or(x,x[:,:2]); ops.floor_div(x,None); ops.floor_div(x,[1,2,3]); ops.floor_div(x,(1,2,3)); ops.floor_mod(x,None);
ops.floor_mod(x,[1,2,3]); ops.floor_mod(x,(1,2,3)); ops.fmod(x,None); ops.fmod(x,[1,2,3]); ops.fmod(x,(1,2,3)); ops.remainder(x,None);
ops.remainder(x,[1,2,3]); ops.remainder(x,(1,2,3)); ops.atan2(x,None); ops.atan2(x,[1,2,3]); ops.atan2(x,(1,2,3)); ops.true_divide(u,-3);
ops.true_divide(x,None); ops.true_divide(x,[1,2,3]); ops.true_divide(x,(1,2,3)); ops.floor_divide(x,None); ops.floor_divide(x,[1,2,3]);
ops.floor_divide(x,(1,2,3)); ops.logical_xor(x,None); ops.logical_xor(x,[1,2,3]); ops.logical_xor(x,(1,2,3)); ops.logical_xor(x,x[:,:2]);
x+np.float64(2); x-np.float64(2); x//np.float64(2); x%np.float64(2); x**np.float64(2); x==np.float64(2); x!=np.float64(2); ops.Add()(x,None);
ops.Sub()(x,None); ops.Mul()(x,None); ops.Div()(x,None); ops.RealDiv()(x,None); ops.Pow()(x,None); ops.Maximum()(x,None); ops.Minimum()(x,None);
ops.Equal()(x,None); ops.NotEqual()(x,None); ops.NotEqual()(3,4); ops.Greater()(x,None); ops.Greater()(3,4); ops.Less()(x,None);
ops.GreaterEqual()(x,None); ops.GreaterEqual()(3,4); ops.LessEqual()(x,None); ops.LessEqual()(3,4); ops.LogicalAnd()(x,3); ops.LogicalAnd()(3,x);
ops.LogicalAnd()(i,2.5); ops.LogicalAnd()(b,3); ops.LogicalAnd()(x,None); ops.LogicalAnd()(3,4); ops.LogicalAnd()(x,x[:,:2]); ops.LogicalOr()(x,3);
ops.LogicalOr()(3,x); ops.LogicalOr()(i,2.5); ops.LogicalOr()(b,3); ops.LogicalOr()(x,None); ops.LogicalOr()(3,4); ops.LogicalOr()(x,x[:,:2]);
ops.FloorDiv()(x,None); ops.FloorMod()(x,None); ops.Mod()(x,None); ops.SquaredDifference()(x,None); ops.Xdivy()(x,None); ops.DivNoNan()(x,None);
ops.Atan2()(x,None); i+np.float64(2); h*np.float64(2); ops.add(x,np.float64(2)); ops.maximum(x,np.float64(2)); ops.pow(x,np.float64(2));
b&np.bool_(True); ops.fmod(i,i-i); ops.remainder(i,i-i); ops.Mod()(i,i-i); ops.TruncateMod()(i,i-i); u/-3; ops.clip_by_norm(i,5.);
ops.clip_by_norm([x,x],5.); ops.identity(3); ops.flip(x,(0,0));
""",
    "methods": r"""
x.abs(); x.absolute(); x.add(1); x.add(x,alpha=2); x.sub(1); x.sub(x,alpha=2); x.mul(2); x.div(2); x.divide(2); x.pow(2); x.remainder(2); x.fmod(2);
x.true_divide(2); x.neg(); x.negative(); x.sign(); x.square(); x.sqrt(); x.exp(); x.expm1(); x.log(); x.log2(); x.log10(); x.log1p(); x.floor();
x.ceil(); x.round(); x.trunc(); x.sin(); x.cos(); x.tan(); x.asin(); x.acos(); x.atan(); x.sinh(); x.cosh(); x.sigmoid(); x.erf(); x.reciprocal();
x.rsqrt(); x.isnan(); x.isfinite(); x.isinf(); x.eq(i); x.ne(i); x.gt(1); x.ge(1); x.lt(1); x.le(1); x.equal(x); x.greater(1); x.less(1);
x.not_equal(1); x.greater_equal(i); x.less_equal(i); x.logical_and(b); x.logical_or(b); x.logical_not(); b.logical_xor(b); i.bitwise_and(i);
i.bitwise_or(1); i.bitwise_xor(3); x.maximum(i); x.minimum(x); x.lerp(x+1,0.5); x.addcmul(x,x,value=2); x.where(b,0.); x.select(0,1); x.select(1,-1);
x.masked_fill(b,1.); x.masked_select(b); x.masked_scatter(b,x); x.take(Tensor([0,1])); x.gather(Tensor([0]),0); x.gather(1,Tensor([[0],[1]]));
x.gather_elements(1,Tensor([[0],[1]])); x.gather_nd(Tensor([[0,1]])); x.index_select(1,Tensor([0])); x.index_fill(1,Tensor([0],ms.int32),9.);
x.index_put((Tensor([0]),Tensor([1])),Tensor([5.])); x.scatter(1,Tensor([[0]]),Tensor([[9.]])); x.scatter_sub(Tensor([[0,1]]),Tensor([1.]));
x.scatter_mul(Tensor([[0,1]]),Tensor([2.])); x.scatter_div(Tensor([[0,1]]),Tensor([2.])); x.scatter_max(Tensor([[0,1]]),Tensor([2.])); x.tril();
x.triu(1); x.diag(); v.diag(); x.diagonal(); x.diagonal(1); x.trace(); x.flip(0); x.flip((0,1)); x.flip(0,1); x.fliplr(); x.flipud(); x.rot90(1,(0,1));
x.split(1); x.chunk(2); x.unbind(); x.unbind(1); x.tensor_split(2); x.hsplit(3); x.vsplit(2); x.narrow(1,0,2); x.expand(2,2,3); x.expand((2,-1,3));
x.expand_as(q[:,:2,:3]); x.broadcast_to((2,2,3)); x.repeat_interleave(2,0); x.repeat_interleave(Tensor([1,2]),0); x.tile((2,1)); x.tile(2,1);
x.squeeze(); x[None].squeeze(0); x.unsqueeze(0); x.view(3,2); x.view(-1); x.view_as(x.T.contiguous()); x.reshape_as(x.T); x.ravel(); x.flatten();
x.permute(1,0); x.movedim(0,1); x.moveaxis(0,-1); x.swapaxes(0,1); x.swapdims(0,1); x.t(); x.T; x.mT; x.adjoint(); x.contiguous(); x.copy(); s.item();
x.tolist(); x.asnumpy(); x.numpy(); x.to(ms.int32); x.type(ms.int32); x.type_as(i); x.half(); x.float(); x.double(); x.int(); x.long(); x.short();
x.byte(); x.bool(); i.float(); x.new_zeros((2,)); x.new_ones((2,)); x.new_empty((2,)).shape; i.new_zeros(2); x.sum(0); x.sum((0,1));
x.sum(1,keepdim=True); x.sum(axis=1,keepdims=True); x.sum(dtype=ms.float64); i.sum(); b.sum(); x.mean(0); x.mean((0,1)); x.mean(1,keepdim=True);
x.mean(axis=1,keep_dims=True); x.prod(); x.prod(1); x.prod(1,True); x.max(0); x.max(1); x.max(dim=1); x.max(dim=1,keepdim=True); x.max(i); x.min(0);
x.min(dim=1); x.min(i); x.argmax(); x.argmax(1); x.argmax(1,True); x.argmax(dim=1); x.argmin(0); x.amax(1); x.amin((0,1)); x.all(); x.all(1); x.any(1);
b.all(dim=1); b.any(dim=0,keepdim=True); x.std(); x.std(0); x.std(0,ddof=1); x.std(dim=0); x.var(); x.var(1,1); x.std(axis=0,ddof=1,keepdims=True);
x.median(); x.median(1); x.median(dim=1); x.norm(); x.norm(2); x.norm(1,0); x.norm(dim=1); x.cumsum(0); x.cumsum(dim=1); x.cumprod(0); x.cumprod(1);
x.cummax(1); x.cummin(0); x.logsumexp(1); x.logcumsumexp(1); x.softmax(1); x.softmax(dim=1); x.topk(2); x.topk(2,0); x.topk(1,dim=1,largest=False);
x.sort(); x.sort(0); x.sort(1,True); x.sort(descending=True); x.sort(dim=0); x.argsort(); x.argsort(1,True); x.argsort(dim=0); x.unique_consecutive();
k.unique_consecutive(return_counts=True); x.nonzero(); x.argwhere(); x.count_nonzero(); x.count_nonzero(1); x.histc(3); k.bincount(); x.clamp(0,1);
x.clamp(min=0); x.clip(0,1); x.nan_to_num(); n.nan_to_num(0.,1.,2.); n.nan_to_num(nan=5.); x.dot(x.T); v.dot(v); x.mm(x.T); x.matmul(x.T);
m3.inverse(); m3.det(); m3.slogdet(); v.outer(v); x.isclose(x); x.allclose(x+1e-9); x.is_contiguous(); x.is_floating_point(); x.is_signed(); x.dim();
x.ndimension(); x.numel(); x.nelement(); x.size; x.shape; x.stride(); x.storage_offset(); x.itemsize; x.nbytes; x.dtype; x.device; x.is_complex();
x.data; x.float_power(2); i.float_power(0.5); x.hypot(x); x.atan2(x); x.arctan2(i); x.logaddexp(x); x.xlogy(x); i.gcd(i); i.lcm(i); x.heaviside(x);
x.copysign(-x); x.nextafter(x+1); x.ldexp(i); x.frac(); x.deg2rad(); x.rad2deg(); x.sgn(); x.signbit(); x.lgamma(); x.digamma(); x.i0(); x.erfc();
x.erfinv(); x.logit(0.1); x.renorm(2,0,1.); x.nanmean(); x.nansum(); x.nanmedian(); x.ptp(); x.ptp(0); x.resize(3,2); x.resize((2,2)); x.cov();
x.diff(); x.diff(dim=0); x.inner(x); v.ger(v); x.sum_to_size((1,3)); x.unsorted_segment_max(Tensor([0,0]),1); x.unsorted_segment_min(Tensor([0,0]),1);
x.unsorted_segment_prod(Tensor([0,0]),1); x.inplace_update(x[:1],0); x.expand_dims(0); x.itemset(0,5.); x.itemset((0,1),5.); x.msort(); x.aminmax();
x.aminmax(axis=1); x[0,:2].addmv(x,v); x.addr(x[:,0],v); x.argmax_with_value(1); x.argmin_with_value(0,True); x.multiply(2); x.subtract(1);
x.random_categorical(2).shape; x.log_normal(1.,2.).shape; x.int().bitwise_left_shift(1); i.bitwise_right_shift(1); x.type(); x.reverse([0]);
x.reverse_sequence(Tensor([1,2]),1); len(x); x.__len__(); x[0].__len__(); bool(s); int(s); float(s); x in [x]; 1.5 in x; list(x[0]); [a for a in v];
repr(x[0,0]); str(v); f'{s}'; abs(x); -x; +x; ~b; divmod(7,3); x.T.shape; np.array(x); np.asarray(i); np.sum(x.asnumpy()); x.asnumpy().dtype;
""",
    "dtypes": r"""
ops.frac(i); ops.frac(b); ops.inv(i); ops.Inv()(i); ops.inv(l); ops.lgamma(Tensor([1.,2.,0.5,100.])); ops.polygamma(Tensor(1),Tensor([1.,2.,0.5]));
ops.sum(x,0,dtype=ms.int8); ops.sum(x,0,dtype=ms.int32); ops.sum(x,0,dtype=ms.float16); ops.sum(x,0,dtype=ms.int64);
ops.sum(i,0,dtype=ms.int8); ops.sum(i,0,dtype=ms.int32); ops.sum(i,0,dtype=ms.uint8); ops.sum(i,0,dtype=ms.float16); ops.sum(i,0,dtype=ms.int64);
ops.prod(x,0,dtype=ms.int8); ops.prod(x,0,dtype=ms.int32); ops.prod(x,0,dtype=ms.float16); ops.prod(x,0,dtype=ms.int64);
ops.prod(i,0,dtype=ms.int8); ops.prod(i,0,dtype=ms.int32); ops.prod(i,0,dtype=ms.uint8); ops.prod(i,0,dtype=ms.float16); ops.prod(i,0,dtype=ms.int64);
ops.nansum(x,0,dtype=ms.int8); ops.nansum(x,0,dtype=ms.int32); ops.nansum(x,0,dtype=ms.float16);
ops.nansum(x,0,dtype=ms.int64); ops.nansum(i,0,dtype=ms.int8); ops.nansum(i,0,dtype=ms.int32); ops.nansum(i,0,dtype=ms.uint8);
ops.nansum(i,0,dtype=ms.float16); ops.nansum(i,0,dtype=ms.int64); ops.cumsum(x,0,dtype=ms.int8); ops.cumsum(x,0,dtype=ms.int32);
ops.cumsum(x,0,dtype=ms.float16); ops.cumsum(x,0,dtype=ms.int64); ops.cumsum(i,0,dtype=ms.int8);
ops.cumsum(i,0,dtype=ms.int32); ops.cumsum(i,0,dtype=ms.uint8); ops.cumsum(i,0,dtype=ms.float16); ops.cumsum(i,0,dtype=ms.int64);
x.sum(0,dtype=ms.int32); x.sum(0,dtype=ms.float64); x.sum(0,dtype=ms.int8); x.prod(0,dtype=ms.int32); x.prod(0,dtype=ms.float64);
x.prod(0,dtype=ms.int8); x.mean(0,dtype=ms.int32); x.mean(0,dtype=ms.float64); x.mean(0,dtype=ms.int8); mint.sum(i,0,dtype=ms.int32);
mint.prod(i,0,dtype=ms.int32); i.trace(); ops.trace(i); ops.Trace()(i); i.trace(1); i.astype(ms.int8).trace(); v.searchsorted(Tensor([2.]));
v.searchsorted(Tensor([2.]),'right'); x.mean(dim=1,keepdim=True,dtype=ms.float64); b.mean(dtype=ms.float32); ops.sum(b,dtype=ms.bool_);
ops.sum(x,(0,1),dtype=ms.int32);
""",
    "rare": r"""
ops.exp2(d); ops.exp2(h.astype(ms.bfloat16)); ops.exp2(b); ops.copysign(h[0],v); ops.copysign(v,h[0]); ops.copysign(i,x); ops.copysign(d,i);
ops.copysign(v,Tensor([2.,-0.,-np.inf])); ops.copysign(b,i); ops.copysign(c,x); ops.copysign(x,[1,2,3]); ops.copysign(x,-1.5); ops.copysign(s,v);
ops.copysign(v,x); ops.copysign(h.astype(ms.bfloat16),x); ops.selu(i); ops.selu(i.astype(ms.int8)); ops.relu(b); nn.ReLU()(b); ops.ReLU()(b);
ops.hardtanh(b); ops.logsigmoid(c); ops.tanhshrink(c); ops.clip_by_norm(i,1); ops.clip_by_norm(l,2); ops.clip_by_norm([k,k],2);
ops.clip_by_norm(i,100); ops.norm(c); ops.norm(c,'fro'); ops.norm(c,dim=0); ops.norm(c[0]); ops.norm(c[0],0); ops.norm(c[0],2.0);
ops.norm(c[0],1.5); ops.norm(c,dtype=ms.complex128); ops.vector_norm(c,1); ops.vector_norm(c,0,1); ops.vector_norm(c,2,0,True); ops.matrix_norm(c);
c.norm(); ops.vector_norm(x,'a'); mint.norm(x,None); ops.prod(i,(0,1)); ops.prod(i,[0]); ops.prod(b,(0,1)); ops.prod(h,(0,1),True);
ops.prod(i,()); ops.prod(i,(0,1),dtype=ms.float32); mint.softmax(q,None); mint.softmax(x,None); ops.dist(h,h*300); mint.fmod(b,b);
mint.xlogy(h,2); mint.xlogy(h,True); mint.xlogy(d,2.5); ops.ldexp(h,i); ops.ldexp(i,h); ops.ldexp(d,u); ops.ldexp(b,h);
ops.cross_entropy(x,k[:2]-1); ops.cross_entropy(x,Tensor([[1,0,2],[0,1,1]],ms.int32)); ops.cross_entropy(x,Tensor([[1,0,2],[0,1,1]]));
ops.cross_entropy(x,Tensor([[1,0,2],[0,1,1]]),reduction='none'); ops.cross_entropy(x,Tensor([[1,0,2],[0,1,1]]),label_smoothing=0.1);
ops.cross_entropy(x,Tensor([[1,0,2],[0,1,1]]),v); ops.cross_entropy(v,k-1); ops.cross_entropy(h,Tensor([[1],[-100]])); ops.nll_loss(x,Tensor([[1,0],[0,1]]));
ops.cross_entropy(x,Tensor([[1,0,2],[0,-100,1]]),reduction='sum'); x.scatter_(1,Tensor([[0]]),x,reduce='foo');
""",
}


def samples(topic: str) -> list[str]:
    """The expressions of a topic."""
    return [e.strip() for line in TOPICS[topic].splitlines() for e in line.split(";") if e.strip()]
