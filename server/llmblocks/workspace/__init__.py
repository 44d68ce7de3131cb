"""The names in the files around a document."""
