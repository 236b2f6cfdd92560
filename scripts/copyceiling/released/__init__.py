"""Reads the files of a published release into our artefacts, a module a part.

Two layouts are read alike: the release's own and a reduced one with fewer columns. Every row is
checked on the way in, all faults are listed at once, and nothing is filled in: what the rows do
not say stays missing. Source: STUDIES sections 0 to 5; docs/published-release.md.
"""
