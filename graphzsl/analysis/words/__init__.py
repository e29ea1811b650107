"""What words do to a benchmark: shared labels, primary meanings, frequencies."""
