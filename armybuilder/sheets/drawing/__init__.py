"""What PDF pages are drawn with: letters, blocks, columns, page furniture."""
