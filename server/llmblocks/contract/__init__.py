"""The contract of a format with the editor: `Layer`, and the values in which a format answers."""
