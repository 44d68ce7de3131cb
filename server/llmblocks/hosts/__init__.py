"""Documents of other languages that have texts of ours inside."""
