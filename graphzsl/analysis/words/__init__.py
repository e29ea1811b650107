"""Words of a benchmark's classes: shared labels, primary meanings, frequencies."""
