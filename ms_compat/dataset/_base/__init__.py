"""The base classes of datasets, their iterators, caches, schemas and serialization."""
