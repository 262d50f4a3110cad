"""The parts of `Model`: its networks, its arguments and its loops."""
