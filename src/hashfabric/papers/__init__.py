"""The papers' tables as data, the audit of their figures, and our rows beside them."""
