"""Windows of classes in the order of a property."""
