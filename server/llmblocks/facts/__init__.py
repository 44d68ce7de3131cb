"""What can be wrong in a text: rules, facts, findings, and the comments that silence them. It knows no format."""
