"""A provider of language models on the loopback interface, which plays a policy: real clients can be tried without a network or a key."""
