"""D&D 3.x creatures as Chainmail cards with a suggested price, every number explained.

`fields`: a form's text -> `scores`; `dnd`: scores -> card; `price`: points by a model of known
price; `book`: the shipped creatures.
"""
