"""A core as files that other tools read, and their projects."""
