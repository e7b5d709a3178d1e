"""What an operator watches: whether the app is well, how much it does, and who asked for what."""
