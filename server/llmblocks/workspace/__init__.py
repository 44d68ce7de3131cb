"""The names in the other files of a session or of a workspace."""
