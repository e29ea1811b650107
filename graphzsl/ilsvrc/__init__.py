"""What ILSVRC does with the hierarchy: trimmed hierarchies, bins, inherited properties, label order, annotation cost."""
