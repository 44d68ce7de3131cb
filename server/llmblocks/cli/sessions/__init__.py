"""Sessions of agents: as a tree on a terminal, as JSON, as a graph, and as a page."""
