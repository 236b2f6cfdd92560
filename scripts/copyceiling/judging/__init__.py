"""Judges: models that grade or label an answer under a rubric, and the checks on what they say."""
