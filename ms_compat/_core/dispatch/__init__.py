"""From a call of an operation to its compiled form: operands, their dtypes, shared storage, random numbers."""
