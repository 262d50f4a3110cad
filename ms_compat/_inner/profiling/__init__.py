"""What watches a training to record some of its steps."""
