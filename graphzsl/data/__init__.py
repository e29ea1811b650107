"""What crosses the line between database and models, one class a file: load and save."""
