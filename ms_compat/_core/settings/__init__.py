"""What the program sets (context, device, memory) and where its compiled programs are kept."""
