"""Commands that are killed at random moments, and what must hold afterwards: ``make farm``."""
