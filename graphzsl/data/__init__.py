"""Files that cross the line between database and models, one class per file: load and save."""
