"""Live model calls: the only part of the library that talks to a model.

Nothing outside this package and the command that runs it may import it; a replay never does.
"""
