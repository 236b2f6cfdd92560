"""The rows behind the numbers: every gold item of every answer, for the report's browser."""
