"""Paraphrase stress: questions rewritten out of the corpus's words, and what retrieval then finds.

A rewrite must pass a gate before it enters the set. Exposure is then measured, without a model, for
lexical, semantic and hybrid retrieval, on the original questions and on their rewrites. Sources:
paper section 8; STUDIES sections 2 and 8.
"""
