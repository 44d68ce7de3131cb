"""Host documents: other languages with embedded texts of ours, such as Markdown."""
