"""Refactorings: one file for each, as rows of `registry`."""
