"""Settings of the program (context, device, memory), and the cache of its compiled programs."""
