"""The public classes of `mindspore.rewrite`, at the paths where MindSpore defines them."""
