"""Unseen classes as mixtures of seen ones."""
