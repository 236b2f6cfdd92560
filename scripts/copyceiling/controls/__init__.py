"""Negative controls: a question asked with its block altered, with another one, or with none.

Every arm is a pure function of the block, the corpus and a seed derived by name. Source: paper
sections 5.4 and 10.7, STUDIES section 4.
"""
