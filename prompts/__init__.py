"""What language models are told: one `.md` per agent, loaded strictly."""
