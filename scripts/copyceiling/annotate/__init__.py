"""Labels by people: the blind sheet, the guide, and a terminal to fill it in."""
