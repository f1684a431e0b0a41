"""Who judges which queries: recorded as a whole by a lead, seen by everybody as their own queue."""
