"""Tables of MindSpore's names: those of 2.10, its inner modules, and what earlier versions called them."""
