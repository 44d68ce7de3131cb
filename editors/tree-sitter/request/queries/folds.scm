(message) @fold
