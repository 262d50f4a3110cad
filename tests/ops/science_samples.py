"""Further samples, in the form of `samples.py`: transforms, windows, Bessel functions, matrices, boxes, polynomials.

To add an operation, add a sample and run `python -m tests.conformance.record ops_science` with an interpreter that has MindSpore.
"""
# ruff: noqa: E501 - one topic's samples a line

from tests.ops import samples as first

SETUP = (
    first.SETUP
    + """
c = Tensor(np.array([[1 + 2j, -2, 3j], [4, 5 - 1j, -6.5]], np.complex64))
p = Tensor([0.1, 0.5, 1.0, 2.5, 8.0, 20.0], ms.float32)
n = Tensor([[1.0, np.nan, 3.0], [np.nan, -2.0, 0.5]], ms.float32)
m = Tensor([[4.0, 1.0, 2.0], [1.0, 3.0, 0.5], [0.0, -1.0, 2.0]], ms.float32)
q = Tensor(np.arange(32).reshape(1, 2, 4, 4) % 7, ms.float32)
"""
)

TOPICS = {
    "fft": r"""
ops.fft(x); ops.fft(c); ops.fft(i); ops.fft(d); ops.fft(b); ops.fft(x,5); ops.fft(x,2); ops.fft(x,None,0);
ops.fft(x,norm='ortho'); ops.fft(x,norm='forward'); ops.fft(x,norm='backward'); ops.fft(x,norm='x'); ops.fft(x,dim=3);
ops.fft(3); ops.fft(x,0); ops.fft(x,'a'); ops.ifft(x); ops.ifft(c); ops.ifft(i); ops.ifft(c,4,0,'ortho');
ops.fft2(x); ops.fft2(c,(3,2)); ops.fft2(x,dim=(1,0)); ops.ifft2(c,norm='forward');
ops.fftn(x); ops.fftn(c,(3,)); ops.fftn(x,(2,),(0,)); ops.fftn(x,None,(0,)); ops.fftn(x,(2,2),(0,)); ops.ifftn(c);
ops.ifftn(c,norm='ortho'); ops.rfft(x); ops.rfft(i); ops.rfft(d); ops.rfft(c); ops.rfft(x,4,0,'ortho');
ops.irfft(c); ops.irfft(x); ops.irfft(c,4); ops.irfft(c,5,0); ops.irfft(i); ops.rfft2(x); ops.rfft2(x,(2,2));
ops.irfft2(c); ops.irfft2(c,(2,3)); ops.rfftn(x); ops.rfftn(x,(2,)); ops.irfftn(c); ops.irfftn(c,(2,4));
ops.hfft(c); ops.hfft(x); ops.hfft(c,5); ops.hfft(c,norm='forward'); ops.ihfft(x); ops.ihfft(x,4); ops.ihfft(i);
ops.hfft2(c); ops.hfft2(c,(2,5)); ops.hfft2(x,norm='ortho'); ops.ihfft2(x); ops.ihfft2(x,(2,2)); ops.hfftn(c);
ops.hfftn(c,(3,),(1,)); ops.ihfftn(x); ops.ihfftn(x,None,(0,)); ops.fftshift(x); ops.fftshift(x,1);
ops.fftshift(i,(0,1)); ops.ifftshift(x); ops.ifftshift(x,-1); ops.fftfreq(5); ops.fftfreq(4,0.5);
ops.fftfreq(4,dtype=ms.float64); ops.rfftfreq(5); ops.rfftfreq(4,2.0); ops.fftfreq(0); ops.fftfreq('a');
mnp.fft.fft(x); mnp.fft.fft(c,4,0); mnp.fft.ifft(c,norm='ortho'); mnp.fft.fft2(x,(2,2)); mnp.fft.ifft2(c);
mnp.fft.fftn(x,axes=(0,)); mnp.fft.ifftn(c); mnp.fft.rfft(x); mnp.fft.irfft(c,5); mnp.fft.rfft2(x);
mnp.fft.irfft2(c); mnp.fft.rfftn(x); mnp.fft.irfftn(c,(2,3)); mnp.fft.hfft(c); mnp.fft.ihfft(x); mnp.fft.hfft2(c);
mnp.fft.hfftn(c); mnp.fft.ihfft2(x); mnp.fft.ihfftn(x); mnp.fft.fftshift(x); mnp.fft.ifftshift(x,axes=1);
mnp.fft.fftfreq(5,0.1); mnp.fft.rfftfreq(6); mnp.fft.fft(x,axis=1);
ops.stft(x,2); ops.round(ops.stft(Tensor(np.arange(12),ms.float32),4,2),decimals=3);
ops.stft(Tensor(np.arange(12),ms.float32),4,2,4,Tensor([0.5,1.,1.,0.5]),normalized=True,return_complex=True);
ops.round(ops.stft(Tensor(np.arange(12),ms.float32),4,onesided=False),decimals=3);
ops.round(ops.stft(Tensor(np.arange(12),ms.float32),4,win_length=2),decimals=3); ops.stft(c,2,return_complex=True);
""",
    "special": r"""
ops.bartlett_window(Tensor(5)); ops.bartlett_window(Tensor(5),False,dtype=ms.float64); ops.bartlett_window(Tensor(1));
ops.bartlett_window(5); ops.blackman_window(Tensor(6)); ops.blackman_window(Tensor(6),False); ops.blackman_window(-1);
ops.hamming_window(6); ops.hamming_window(6,False,0.5,0.5); ops.hamming_window(6,dtype=ms.float16); ops.hann_window(5);
ops.hann_window(5,False); ops.hann_window(1); ops.hann_window(0); ops.hann_window(-1); ops.hann_window('a');
ops.hann_window(5,1); ops.kaiser_window(5); ops.kaiser_window(5,False,6.0); 
ops.hamming_window(5.0); ops.hann_window(4,dtype=ms.int32); ops.blackman_window(4);
ops.bessel_j0(p); ops.bessel_j1(p); ops.bessel_y0(p); ops.bessel_y1(p); ops.bessel_k0(p); ops.bessel_k1(p);
ops.bessel_k0e(p); ops.bessel_k1e(p); ops.bessel_j0(x); ops.bessel_k0(x); ops.bessel_j0(p.astype(ms.float64));
ops.bessel_j0(i); ops.bessel_y0(p.astype(ms.float16)); ops.bessel_k1(3.0); ops.bessel_j1(-p); ops.bessel_y1(p-p);
ops.bessel_k0(p-p); ops.bessel_j0(p*10);
""",
    "matrix": r"""
ops.cov(x); ops.cov(x,correction=0); ops.cov(x[0]); ops.cov(i); ops.cov(b); ops.cov(x,fweights=Tensor([1,2,1]));
ops.cov(x,aweights=Tensor([.5,.2,1.])); ops.cov(x,fweights=Tensor([1,2,1]),aweights=Tensor([.5,.2,1.])); ops.cov(d);
ops.cov(x,fweights=Tensor([1.,2.,1.])); x.cov(correction=0); ops.cov(x,fweights=Tensor([1,2])); ops.cov(q);
ops.cond(m); ops.cond(m,'fro'); ops.cond(m,2); ops.cond(m,-2); ops.cond(m,1); ops.cond(m,-1); ops.cond(m,'nuc');
ops.cond(m,float('inf')); ops.cond(m,float('-inf')); ops.cond(x); ops.cond(x,1); ops.cond(m,3); ops.cond(m,'a');
ops.sort(ops.real(ops.eigvals(m)))[0]; ops.eigvals(c[:,:2]); ops.eigvals(x); ops.eigvals(i[:,:2]); ops.eig(Tensor([[2.,0.],[0.,3.]]));
ops.eig(x);  ops.geqrf(m); ops.geqrf(x); ops.orgqr(*ops.geqrf(m)); ops.geqrf(i); ops.geqrf(x[0]);
ops.ormqr(*ops.geqrf(m),m); ops.ormqr(*ops.geqrf(m),m,True,True); ops.ormqr(*ops.geqrf(m),m,False);
m.geqrf(); m.geqrf()[0].orgqr(m.geqrf()[1]); ops.round(ops.lstsq(m,m[:,:2]),decimals=3)+1; ops.lstsq(x.T,Tensor([[1.],[2.],[3.]]));
ops.lstsq(x,Tensor([[1.],[2.]])); ops.round(ops.lstsq(m,m[0]),decimals=3)+1; ops.round(m.lstsq(m[:,:1]),decimals=3)+1; ops.lstsq(i,i);
ops.lu_solve(m[:,:1],m,Tensor([1,2,3],ms.int32)); ops.lu_solve(m,m,Tensor([2,2,3],ms.int32));
m.lu_solve(m,Tensor([3,3,3],ms.int32)); ops.lu_solve(m[0],m,Tensor([1,2,3],ms.int32));
ops.lu_solve(m[:,:1],m,Tensor([1,2],ms.int32)); ops.lu_unpack(m,Tensor([2,2,3],ms.int32));
ops.lu_unpack(m,Tensor([3,3,3],ms.int32),True,False); ops.lu_unpack(m,Tensor([3,2,3],ms.int32),False,True);
ops.matrix_diag(x); ops.matrix_diag(x[0]); ops.matrix_diag(x[0],1); ops.matrix_diag(x,Tensor([-1,0],ms.int32));
ops.matrix_diag(x,Tensor([0,1],ms.int32),padding_value=Tensor(9.)); ops.matrix_diag(m,Tensor([-1,1],ms.int32),align='LEFT_RIGHT');
ops.matrix_diag(m,Tensor([-1,1],ms.int32),align='LEFT_LEFT'); ops.matrix_diag(m,Tensor([-1,1],ms.int32),align='RIGHT_RIGHT');
ops.matrix_diag(m,Tensor([-1,1],ms.int32),3,3,9.); ops.matrix_diag(x[0],0,3,4); ops.matrix_diag(i); ops.matrix_diag(x,0,align='a');
ops.matrix_diag(x[0],Tensor(-1,ms.int32),Tensor(4,ms.int32),Tensor(5,ms.int32),Tensor(7.));
ops.matrix_diag_part(x,Tensor(0,ms.int32),Tensor(0.)); ops.matrix_diag_part(x,1,9.); ops.matrix_diag_part(m,Tensor([-1,1],ms.int32),Tensor(9.));
ops.matrix_diag_part(m,Tensor([-1,1],ms.int32),Tensor(9.),'LEFT_RIGHT'); ops.matrix_diag_part(x,Tensor([0,2],ms.int32),Tensor(9.),'LEFT_LEFT');
ops.matrix_diag_part(x,Tensor([-1,1],ms.int32),Tensor(9.),'RIGHT_RIGHT'); ops.matrix_diag_part(x,Tensor(5,ms.int32),Tensor(0.));
ops.matrix_diag_part(q,Tensor(-1,ms.int32),Tensor(0.)); ops.matrix_diag_part(x[0],Tensor(0,ms.int32),Tensor(0.));
ops.matrix_set_diag(m,m[0]); ops.matrix_set_diag(m,x[0,:2],1); ops.matrix_set_diag(m,m,Tensor([-1,1],ms.int32));
ops.matrix_set_diag(m,m,Tensor([-1,1],ms.int32),'LEFT_RIGHT'); ops.matrix_set_diag(x,x[0,:2]); ops.matrix_set_diag(m,x[0],1);
ops.batch_dot(q,q,(3,3)); ops.batch_dot(x,x); ops.batch_dot(x,x,1); ops.batch_dot(q[0],q[0],(1,2)); ops.batch_dot(q[0],q[0],[2,1]);
ops.batch_dot(x,q[0],(1,2)); ops.batch_dot(q[0],q[0]); ops.batch_dot(x,x,(0,1)); ops.batch_dot(x,x,(1,1,1)); ops.batch_dot(i,i,1);
ops.batch_dot(q[0],x[:,:2],1); ops.batch_dot(m,m,(-1,-1)); ops.batch_dot(q,x);
ops.pdist(x); ops.pdist(m); ops.pdist(m,1.0); ops.pdist(m,0.0); ops.pdist(m,float('inf')); ops.pdist(m,3.0); ops.pdist(m,-1.0);
ops.pdist(x[0]); ops.pdist(q); ops.pdist(i); ops.pdist(d);
""",
    "place": r"""
ops.batch_to_space_nd(Tensor(np.arange(4).reshape(4,1,1,1),ms.float32),[2,2],[[0,0],[0,0]]);
ops.batch_to_space_nd(Tensor(np.arange(16).reshape(4,1,2,2),ms.float32),[2,2],[[1,0],[0,1]]); ops.batch_to_space_nd(x,[2],[[0,0]]);
ops.batch_to_space_nd(q,2,[[0,0],[0,0]]); ops.batch_to_space_nd(Tensor(np.arange(16).reshape(4,1,2,2),ms.int32),2,[[0,0],[0,0]]);
ops.space_to_batch_nd(q,[2,2],[[0,0],[0,0]]); ops.space_to_batch_nd(q,[2,2],[[1,1],[0,2]]); ops.space_to_batch_nd(q,[3,2],[[0,0],[0,0]]);
ops.space_to_batch_nd(q,2,[[0,0],[0,0]]);
ops.reverse_sequence(x,Tensor([2,3]),1); ops.reverse_sequence(m,Tensor([1,2,3]),0,1); ops.reverse_sequence(i,Tensor([1,2],ms.int32),1);
ops.reverse_sequence(q[0],Tensor([2,3]),2); x.reverse_sequence(Tensor([2,1]),1); ops.reverse_sequence(x,Tensor([2,3]),0);
ops.reverse_sequence(x,Tensor([2,5]),1); ops.reverse_sequence(x,Tensor([2]),1); ops.reverse_sequence(x,Tensor([2.,1.]),1);
ops.reverse_sequence(m,Tensor([1,2,3]),seq_dim=2); x.reverse_sequence(Tensor([1,2,1]),0,1); ops.reverse_sequence(m,Tensor([0,2,3]),1);
ops.padding(Tensor([[8.],[10.]]),4); ops.padding(Tensor([8,10]),4); ops.padding(x,4); ops.padding(Tensor([[8.]]),0); ops.padding(Tensor([[8]]));
ops.col2im(Tensor(np.arange(16).reshape(1,1,4,4),ms.float32),Tensor([4,4],ms.int32),[2,2],[1,1],[0,0],[2,2]);
ops.col2im(Tensor(np.arange(36).reshape(1,1,4,9),ms.float32),Tensor([4,4],ms.int32),[2,2],[1,1],[0,0],[1,1]);
ops.col2im(Tensor(np.arange(100).reshape(1,1,4,25),ms.float32),Tensor([8,8],ms.int32),[2,2],[2,2],[2,2],[2,2]);
ops.col2im(q,Tensor([4,4],ms.int32),[2,2],[1,1],[0,0],[2,2]); ops.col2im(x,Tensor([4,4],ms.int32),[2,2],[1,1],[0,0],[2,2]);
ops.inplace_index_add(Parameter(Tensor([[1.,2.],[3.,4.],[5.,6.]]),name='v'),Tensor([0,2],ms.int32),Tensor([[.5,1.],[1.,1.5]]),0);
ops.inplace_index_add(Parameter(Tensor([[1.,2.],[3.,4.]]),name='v'),Tensor([1],ms.int32),Tensor([[.5],[1.]]),1);
ops.check_valid(Tensor(np.linspace(0,6,12).reshape(3,4),ms.float32),Tensor([2.,1.,3.])); ops.check_valid(x,x[0]);
ops.check_valid(Tensor([[0.,0.,3.,3.],[-1.,0.,2.,2.],[1.,1.,9.,9.]]),Tensor([4.,5.,1.])); ops.check_valid(Tensor([[0,0,3,3]]),Tensor([4,5,1]));
ops.iou(Tensor([[0.,0.,2.,2.],[1.,1.,4.,5.]]),Tensor([[1.,1.,3.,3.]])); ops.iou(Tensor([[0.,0.,2.,2.]]),Tensor([[1.,1.,3.,3.],[5.,5.,6.,6.]]),'iof');
ops.iou(x,x); ops.iou(Tensor([[0.,0.,2.,2.]]),Tensor([[1.,1.,3.,3.]]),'a'); ops.iou(Tensor([[0.,0.,2.,2.]],ms.float16),Tensor([[1.,1.,3.,3.]],ms.float16));
ops.bounding_box_encode(Tensor([[2.,2.,2.,3.],[0.,0.,4.,5.]]),Tensor([[1.,2.,1.,4.],[1.,1.,6.,4.]]));
ops.bounding_box_encode(Tensor([[0.,0.,4.,5.]]),Tensor([[1.,1.,6.,4.]]),(0.1,0.2,0.3,0.4),(0.5,1.,2.,0.1)); ops.bounding_box_encode(x,x);
ops.bounding_box_decode(Tensor([[4.,1.,2.,1.],[2.,2.,2.,3.]]),Tensor([[3.,1.,2.,2.],[1.,2.,1.,4.]]),(768,1280));
ops.bounding_box_decode(Tensor([[4.,1.,8.,9.]]),Tensor([[.3,.1,.2,-.2]]),(10,12),(0.1,0.,0.2,0.),(0.1,0.1,0.2,0.2),0.5); ops.bounding_box_decode(x,x,(1,1));
ops.bounding_box_decode(Tensor([[3.,2.,30.,21.],[10.,4.,20.,18.],[-5.,-7.,5.,9.]]),Tensor([[3.,1.,2.,2.],[1.,2.,1.,4.],[.1,.2,.3,.1]]),(20,24));
ops.crop_and_resize(q.transpose(0,2,3,1),Tensor([[0.,0.,1.,1.],[.2,.6,.8,1.3]]),Tensor([0,0],ms.int32),(3,2));
ops.crop_and_resize(q.transpose(0,2,3,1),Tensor([[0.,0.,.5,.5]]),Tensor([0],ms.int32),(2,2),'nearest',5.0);
ops.crop_and_resize(q.transpose(0,2,3,1),Tensor([[0.,0.,.5,.5]]),Tensor([0],ms.int32),(1,3),'bilinear_v2');
ops.crop_and_resize(q.transpose(0,2,3,1),Tensor([[.9,.1,.2,.7]]),Tensor([0],ms.int32),(3,3)); ops.crop_and_resize(x,x,i,(1,1));
ops.crop_and_resize(q.transpose(0,2,3,1),Tensor([[0.,0.,.5,.5]]),Tensor([0],ms.int32),(2,2),'a');
ops.ctc_greedy_decoder(Tensor([[[.6,.4,.2],[.8,.6,.3]],[[0.,.6,0.],[.5,.4,.5]]]),Tensor([2,2],ms.int32));
ops.ctc_greedy_decoder(Tensor([[[.6,.4,.2],[.8,.6,.3]],[[.7,.6,0.],[.5,.4,.9]]]),Tensor([2,1],ms.int32),False);
ops.ctc_greedy_decoder(Tensor([[[.6,.4,.2]],[[.7,.6,0.]],[[.1,.2,.9]],[[.7,.6,0.]]]),Tensor([4],ms.int32));
ops.adaptive_max_pool3d(Tensor(np.arange(24).reshape(1,2,3,4),ms.float32),(1,2,2)); ops.adaptive_max_pool3d(q,(1,2,None));
ops.adaptive_max_pool3d(q,(1,3,3),True); ops.adaptive_max_pool3d(q,2);
ops.fractional_max_pool2d(q,2,output_size=(2,2),_random_samples=Tensor(np.full((1,2,2),.8),ms.float32),return_indices=True);
ops.fractional_max_pool2d(q,(2,1),output_ratio=(.5,.6),_random_samples=Tensor(np.full((1,2,2),.3),ms.float32));
ops.fractional_max_pool2d(q,2); ops.fractional_max_pool2d(q,2,output_size=(5,5));
ops.fractional_max_pool3d(Tensor(np.arange(27).reshape(1,1,3,3,3)%8,ms.float32),(1,1,1),output_size=(2,2,2),_random_samples=Tensor(np.full((1,1,3),.4),ms.float32),return_indices=True);
ops.fractional_max_pool3d(Tensor(np.arange(64).reshape(1,1,4,4,4)%9,ms.float32),2,output_ratio=(.5,.5,.5),_random_samples=Tensor(np.full((1,1,3),.9),ms.float32));
ops.deformable_conv2d(q,Tensor(np.ones((3,2,2,2)),ms.float32),Tensor(np.ones((1,12,3,3))*.5,ms.float32),(2,2),(1,1,1,1),(0,0,0,0));
ops.deformable_conv2d(q,Tensor(np.arange(16).reshape(2,2,2,2),ms.float32),Tensor((np.arange(192).reshape(1,12,4,4)%5-1.7)*.6,ms.float32),(2,2),(1,1,1,1),(0,1,1,0),Tensor([1.,2.]));
ops.deformable_conv2d(q,Tensor(np.ones((2,2,2,2)),ms.float32),Tensor(np.full((1,8,3,3),.3),ms.float32),(2,2),(1,1,1,1),(0,0,0,0),modulated=False);
ops.deformable_conv2d(q,Tensor(np.ones((2,2,2,2)),ms.float32),x,(2,2),(1,1,1,1),(0,0,0,0));
ops.aminmax(n); ops.aminmax(n,axis=1); ops.aminmax(i,axis=None); ops.aminmax(x,axis=0,keepdims=True); ops.softmin(x,1); ops.softmin(x);
""",
    "numpy": r"""
mnp.apply_along_axis(lambda v:v.sum(),1,x); mnp.apply_along_axis(lambda v:v+1,0,x); mnp.apply_over_axes(lambda v,a:mnp.sum(v,a),x,(0,1));
mnp.apply_over_axes(mnp.sum,mnp.arange(24).reshape(2,3,4),(0,2)); mnp.array_equiv(x,x); mnp.array_equiv([1,2],[[1,2],[1,2]]); mnp.array_equiv(x,i);
mnp.array_str(x); mnp.array_str(i); mnp.cbrt(x); mnp.cbrt(i); mnp.cbrt([8,27],mnp.float32); mnp.choose([0,1,0],[[1,2,3],[4,5,6]]);
mnp.choose(Tensor([2,3,1]),[[1,2,3],[4,5,6],[7,8,9]],mode='wrap'); mnp.choose(Tensor([2,3,1]),[[1,2,3],[4,5,6],[7,8,9]]); mnp.choose([[1,0]],(-10,10));
Tensor([2,3,1,0]).choose([[0,1,2,3],[10,11,12,13],[20,21,22,23],[30,31,32,33]]); Tensor([4,1]).choose([[0,1],[2,3]],mode='wrap'); Tensor([4,1]).choose([[0,1],[2,3]],mode='raise');
mnp.convolve(x[0],x[1]); mnp.convolve([1.,2.,3.],[0.,1.],mode='same'); mnp.convolve([1,2,3],[0,1],mode='valid'); mnp.convolve(x,x); mnp.convolve([],[1.]);
mnp.convolve([1,2,3],[0,1,.5]); mnp.corrcoef(x); mnp.corrcoef(x,x); mnp.corrcoef(x,rowvar=False); mnp.corrcoef(i); mnp.corrcoef(x[0],x[1]);
mnp.correlate(x[0],x[1]); mnp.correlate([1.,2.,3.],[0.,1.,.5],mode='same'); mnp.correlate([1.,2.,3.],[0.,1.,.5],mode='full'); mnp.correlate([1,2,3],[0,1]); mnp.correlate([1,2,3],[0,1],mode='a');
mnp.diag_indices(3); mnp.diag_indices(2,3); mnp.diag_indices(-1); mnp.divmod(x,2); mnp.divmod(i,2); mnp.ediff1d(x); mnp.ediff1d(i,to_end=9); mnp.ediff1d([1,3,4],[7,8],[0]); mnp.ediff1d([1.,3.],to_begin=[0.]);
mnp.histogram2d(x[0],x[1],2); mnp.histogram2d([1.,2.,3.],[1.,1.,2.],[2,3]); mnp.histogram2d([1.,2.,3.],[1.,1.,2.],2,[[0,4],[0,4]],density=True);
mnp.histogramdd(x.T,2); mnp.histogramdd(x.T,[2,3]); mnp.histogramdd(mnp.arange(12).reshape(4,3),2); mnp.histogramdd(x.T,2,weights=[1.,2.,3.]);
mnp.ix_([1,2],[0,3,4]); mnp.ix_(mnp.array([1,2])); mnp.ix_(x); mnp.nancumsum(n); mnp.nancumsum(n,0); mnp.nancumsum(i,1); mnp.nancumsum(n,1,mnp.float16);
mnp.nanmax(n); mnp.nanmax(n,0); mnp.nanmax(n,axis=1,keepdims=True); mnp.nanmin(n); mnp.nanmin(n,(0,1)); mnp.nanmin(i,1); mnp.nanmax(n,dtype=mnp.float16); mnp.nanmax([mnp.nan,1.]);
mnp.nanstd(n); mnp.nanstd(n,1); mnp.nanstd(n,0,ddof=1); mnp.nanvar(n); mnp.nanvar(n,axis=1,keepdims=True); mnp.nanvar(i); mnp.nanvar(n,1,ddof=1); mnp.nanvar(n,dtype=mnp.float16);
mnp.piecewise(x,[x<0,x>=0],[-1,1]); mnp.piecewise(x,[x<0],[lambda v:-v,lambda v:v*2]); mnp.piecewise(x,x<0,[5.]); mnp.piecewise(x,[x<0],[1,2,3]);
mnp.polyadd([1,2],[9,5,4]); mnp.polyadd([1.,2.],[3.]); mnp.polysub([2,10,-2],[3,10,-4]); mnp.polysub([1.],[1.,2.]); mnp.polymul([3,1,2],[2,5]); mnp.polymul([1.,2.],[1.]); mnp.polyadd(x,x);
mnp.polyder([1,1,1,1]); mnp.polyder([1.,2.,3.],2); mnp.polyder([1,2],3); mnp.polyder([1,2],0); mnp.polyder([1,2],-1); mnp.polyint([1,1,1]); mnp.polyint([1.,2.],2); mnp.polyint([1,1],2,[3,4]); mnp.polyint([1,1],1,3);
mnp.polyint([1,2],2,5); mnp.polyint([1,2],-1);
mnp.ravel_multi_index([[3,6,6],[4,5,1]],(7,6)); mnp.ravel_multi_index([[3,6,6],[4,5,1]],(7,6),order='F'); mnp.ravel_multi_index([[3,8,6],[4,7,1]],(4,4),mode='wrap'); mnp.ravel_multi_index((3,1,4,1),(6,7,8,9));
mnp.ravel_multi_index([[3,8,6],[4,7,1]],(4,4)); mnp.ravel_multi_index([[3,8],[4,7]],(4,4),mode='raise');
mnp.tril_indices(3); mnp.tril_indices(3,1,4); mnp.triu_indices(3,-1); mnp.triu_indices(2,m=4); mnp.tril_indices_from(m); mnp.triu_indices_from(m,1); mnp.tril_indices_from(q); mnp.tril_indices('a');
mnp.unwrap([0.,1.,7.,8.]); mnp.unwrap(x); mnp.unwrap(x,axis=0); mnp.unwrap(x,1.5); mnp.unwrap(i);
mnp.pad(x[0],(2,1),mode='linear_ramp',end_values=(5,-4)); mnp.pad(x[0],2,mode='maximum'); mnp.pad(x,((1,1),(2,0)),mode='mean'); mnp.pad(x[0],(2,2),mode='minimum',stat_length=2); mnp.pad(x,1,mode='linear_ramp');
mnp.pad(x[0],(2,2),mode='median'); mnp.pad(x[0],(2,3),'reflect',reflect_type='odd'); mnp.pad(x[0],(2,3),'symmetric',reflect_type='odd'); mnp.pad(x[0],1,mode='empty').shape; mnp.pad(i,1,'mean');
mnp.pad(x[0],(2,3),'constant',constant_values=(1,2)); mnp.pad(x,((1,0),(0,1)),'edge'); mnp.pad(x,1,'a'); mnp.pad(x[0],(1,2),'mean',stat_length=((2,1),)); mnp.pad(x,(1,2),'wrap');
mnp.unravel_index(22,(7,6)); mnp.unravel_index([22,41,37],(7,6)); mnp.unravel_index(Tensor([31,41,13]),(7,6),order='F'); mnp.copysign([1,-1],[-2,3]); mnp.copysign(i,x); mnp.copysign(i,-1); mnp.copysign(x,i);
mnp.copysign([1.,2.],[-1,1]); mnp.rand(2,3).shape; mnp.randn(2,3).dtype; mnp.randint(5,shape=(2,)).dtype; mnp.randint(1,4,(2,3)).shape; mnp.rand(2,dtype=mnp.float16).dtype; mnp.randint(3).shape;
""",
    "method": r"""
Tensor([0.,0.,0.,0.]).masked_scatter(Tensor([True,False,True,False]),Tensor([5.,6.,7.])); x.masked_scatter(b,x+1); x.masked_scatter(Tensor([True,False,True]),Tensor([1.,2.,3.,4.]));
x.masked_scatter(b,Tensor([1.])); x.masked_scatter(b,i); x.masked_scatter(i,x);
x.expand_as(q[0,0,:2,:3]); x[0].expand_as(x=x); x[0].expand_as(other=x); x.flatten('F'); x.flatten(order='C'); q.flatten('C',start_dim=1); q.flatten(1,2); q.flatten(start_dim=1); q.flatten(1); q.flatten(start_dim=1,end_dim=2); q.flatten('C',start_dim=1,end_dim=-2); x.flatten('K');
x.scatter(1,Tensor([[0],[2]]),Tensor([[9.],[8.]])); x.scatter(axis=1,index=Tensor([[0],[2]]),src=Tensor([[9.],[8.]])); x.scatter(dim=1,index=Tensor([[0],[2]]),src=Tensor([[9.],[8.]])); x.scatter(1,Tensor([[0],[2]]),7.0); x.scatter(dim=1,index=Tensor([[0],[2]]),value=7.0);
x.scatter(1,Tensor([[0],[2]]),Tensor([[9.],[8.]]),reduce='add'); x.scatter(1,Tensor([[0],[2]]),Tensor([[9.],[8.]]),reduce='multiply'); mint.scatter(x,1,Tensor([[0],[2]]),Tensor([[9.],[8.]])); mint.scatter(input=x,dim=1,index=Tensor([[0],[2]]),src=Tensor([[9.],[8.]])); mint.scatter(x,1,Tensor([[0]]),3.0);
ops.scatter(x,1,Tensor([[0],[2]]),Tensor([[9.],[8.]])); ops.scatter(input=x,axis=1,index=Tensor([[0],[2]]),src=Tensor([[9.],[8.]]));
mint.any(b,dim=1); mint.any(b,1,True); mint.any(input=b); mint.all(b,dim=0,keepdim=True); mint.all(input=b); mint.transpose(x,0,1); mint.select(x,1,0); mint.unsqueeze(x,0); mint.split(x,2,1); mint.split(x,[1,2],1); mint.chunk(x,2,1); mint.broadcast_to(x[0],(2,3)); mint.unsqueeze(x,dim=-1);
q.unfold(2).shape; q.unfold([2,2],1,0,1).shape; x.move_to('CPU'); x.uniform(0.,1.).shape; x.log_normal().shape; x.cauchy().shape; x.bernoulli().shape; Tensor([.1,.9]).multinomial(2,False).shape; x.random_categorical(3).shape;
x.data_ptr()>0; Tensor([0.,1.,0.]).multinomial(3); x.col2im(1,2,3,4,5);
""",
}


def samples(topic: str) -> list[str]:
    """The expressions of a topic."""
    return [e.strip() for line in TOPICS[topic].splitlines() for e in line.split(";") if e.strip()]
