"""The API's views: the same functions as the pages and the command line have."""
