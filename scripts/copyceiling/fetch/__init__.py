"""Gets the data and weights from outside that studies rest on, checked against their registry."""
