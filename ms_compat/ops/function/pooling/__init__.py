"""Windows reduced to one value: by size, by the size of the result, at random places."""
