"""The tags and gadgets that the code of a project declares, as settings that a user can adopt."""
