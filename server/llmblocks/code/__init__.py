"""Source code in other languages: its grammars, and the values of its literals."""
