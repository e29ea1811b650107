"""Ground of every room: errors, settings, progress, texts, files, and readers of files."""
