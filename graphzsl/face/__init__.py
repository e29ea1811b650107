"""Functions and classes of ``import graphzsl`` whose name spans several packages."""
