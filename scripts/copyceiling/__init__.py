"""Exposure accounting for grounded generation: how much recall is a copy of the context?

The library behind the Snakemake pipeline. Modules are layered one way, corpus to manifest,
and none imports snakemake; only ``copyceiling.live`` calls models.
"""

__version__ = "0.1.0"
