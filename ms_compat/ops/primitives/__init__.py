"""The primitive classes that are more than a function, made from one table per topic; `ms_compat.ops` serves them.

A row stands here, and not above its function as `@faces(primitive=...)`, for one of these reasons: the inputs are
changed on the way to the function, a setting has a dtype as its default, the constructor checks its settings together,
or `mindspore.ops` itself has no such class (`csr`, `sequences` and `sparse_inner` serve MindSpore's inner modules).
"""
