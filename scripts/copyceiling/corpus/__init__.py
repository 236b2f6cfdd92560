"""Reads ontologies in their own formats into one checked corpus."""
