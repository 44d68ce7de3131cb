"""The possible problems of a text: rules, facts, findings, and the comments that silence them. It knows no format."""
