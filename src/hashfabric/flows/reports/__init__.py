"""What vendors' tools report of a run, read from the text that they write."""
