"""Drawing of PDF pages: letters, blocks, columns, page furniture."""
