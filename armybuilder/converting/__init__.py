"""D&D 3.x creatures as Chainmail cards with a suggested price, every number explained.

dice, scores: exact numbers; the creature and the choices a person has
reading, fields: a form's text -> scores and choices, or a sentence for every mistake
card, body, attacks, specials: the parts of the card and the step that explains each
dnd: scores and choices -> card
price: points by comparison with a model of known price
book: the shipped creatures as a book
"""
