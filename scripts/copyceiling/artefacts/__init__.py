"""Content-hashed Parquet artefacts: declared schemas, logical hashes, atomic storage."""
