"""What every room uses: files, cache, progress, tools; nothing about hashes."""
