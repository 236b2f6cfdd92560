"""The production study on our own calls: what is asked in which arm, and what is a right answer."""
