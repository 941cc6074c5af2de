"""What every room uses: files, cache, progress, tools; it knows nothing of hashes."""
