"""Refactorings: one file for each."""
