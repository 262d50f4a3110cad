"""The arrangement of elements: views, joining, packing, new tensors."""
