"""ONNX files: a writer that takes the graphs which the lowering rules of MindIR build, and rules of ONNX's own."""
