"""Judged studies whose answers are calls of our own: from prompts to the rows that are analysed."""
