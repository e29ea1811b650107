"""Building a benchmark: recipes, class selection, sample selection, folders that others can
re-check, error attribution."""
