"""Players' own books in the database (`authoring` makes and changes their documents).

- `models`, `selectors` (reads), `services` (writes, one transaction each), `sharing` (secret
  addresses), `paths` (how ids stand in addresses);
- `pinning`: the content that lists draw from is kept as it was; `tidying`: what may be removed;
- `importing`: books and contents brought in from elsewhere.
"""
