"""What ``import graphzsl`` offers where one name spans several packages."""
