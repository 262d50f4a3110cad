"""Rules from operations of JAX to nodes of MindIR, a file a topic."""
