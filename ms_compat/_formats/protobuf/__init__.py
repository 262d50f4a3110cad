"""Protocol buffers: the wire format and message classes, without generated code."""
