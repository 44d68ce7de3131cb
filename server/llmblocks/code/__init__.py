"""Source code in other languages: its grammars, and what its literals say."""
