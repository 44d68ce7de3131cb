"""The graph of dependencies between calls, and its pictures."""
