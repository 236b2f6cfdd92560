"""The figures of a report, drawn from the rows of its tables."""
