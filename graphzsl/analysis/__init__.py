"""Analyses of classes and splits. What reads the database is called ``from_database.py``."""
