"""What the machinery costs, measured."""
