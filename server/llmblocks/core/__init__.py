"""The incremental engine: one scanner contract for streams, whole texts and edits. It knows no format."""
