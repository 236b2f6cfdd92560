"""Compares published values with what we recompute from released rows."""
