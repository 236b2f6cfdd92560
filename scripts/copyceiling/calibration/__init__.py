"""Calibrates judges on answers whose right verdict is known by construction."""
