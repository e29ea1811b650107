"""What the site adds to Sphinx: reference pages from the code, pages from notebooks."""
