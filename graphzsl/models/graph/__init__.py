"""Graph networks and linear models on graph-smoothed embeddings."""
