"""How cells, numbers, dates and labels are written and read: the one room that solver and judge share."""
