"""Names of classes: lists of them, what each means, and names for wnids."""
