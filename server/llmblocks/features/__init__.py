"""The features of an editor, as pure functions from our values to our values."""
