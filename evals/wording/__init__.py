"""How well questions are read, measured without a database: the graph lies in memory."""
