"""Baselines and controls: the structure alone, random embeddings, seen classes alone."""
