"""Images: resizing, sampling at places, patches."""
