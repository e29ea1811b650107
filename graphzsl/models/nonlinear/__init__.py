"""Networks from samples to class embeddings."""
