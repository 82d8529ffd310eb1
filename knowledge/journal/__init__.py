"""The durable log of writes: events that are only ever appended, and the work that they ask for."""
