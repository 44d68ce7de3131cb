"""Reports on corpora: `llmblocks report`."""
