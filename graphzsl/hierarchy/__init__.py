"""The hierarchy in memory: searches, distances, hCorrectSets, closest classes. No database."""
