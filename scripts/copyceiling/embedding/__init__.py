"""Text encoders behind one interface, and a cache of their vectors.

An encoder's libraries (the extra ``embed``) are imported when it is loaded, and by nothing else: a
replay reads frozen cosines and does without them.
"""

from copyceiling.embedding.cache import CachedEmbedder
from copyceiling.embedding.interface import Embedder, Vectors
from copyceiling.embedding.load import load_embedder, open_embedder
from copyceiling.embedding.spec import EmbedderSpec, embedder_spec, load_embedders

__all__ = [
    "CachedEmbedder",
    "Embedder",
    "EmbedderSpec",
    "Vectors",
    "embedder_spec",
    "load_embedder",
    "load_embedders",
    "open_embedder",
]
