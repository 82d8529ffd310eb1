"""The brain of each role behind a language model. None of them calls it: they yield what they ask, and whoever runs them pays for it."""
