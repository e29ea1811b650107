"""Tests of the repository: its documents, commands of make, and rules for its code."""
