"""The report of a study: one page with tables, figures, evidence and provenance (section 3)."""
