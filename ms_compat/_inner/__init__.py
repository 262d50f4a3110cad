"""What serves names that MindSpore keeps inside: imported when a script asks for one, never by the package itself."""
