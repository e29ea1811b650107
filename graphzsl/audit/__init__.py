"""One evaluation for every classifier, and what finished runs say."""
