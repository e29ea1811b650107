"""One synset, and all that is known of it."""
