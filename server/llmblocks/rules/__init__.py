"""The checker, and the fixes of findings. The rules themselves are tables of the formats: `<format>/rules`."""
