"""The engine: tensors, operations, the tape, state and random numbers. It knows no layers."""
