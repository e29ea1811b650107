"""Labels made and checked: consensus of votes, audits, costs, merged classes, queries."""
