"""The content of blocks as settings declare it: JSON, numbers, one of several values."""
