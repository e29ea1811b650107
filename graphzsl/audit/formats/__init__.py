"""Predictions in the forms in which other tools leave them: tables, JSON, Parquet, frames,
arrays."""
