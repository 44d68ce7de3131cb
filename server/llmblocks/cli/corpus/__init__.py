"""Reports on corpora, and training data from them: `llmblocks report` and `llmblocks export`."""
