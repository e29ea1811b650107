"""Hand-written mutants: small lies in the package that a test must notice."""
