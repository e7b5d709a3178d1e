"""A second reading of BattleScribe files: what the source itself says of an army.

It evaluates the XML as BattleScribe does and shares no code with the program: nothing here imports
`armybuilder`, which a test holds. Developers run it on files they trust, so plain ElementTree will
do.

    parts      the XML's elements, parsed once each, and where they stand in a unit, links followed
    judging    conditions, repeats and modifiers: a number as it stands in one army; limits, hidden
               things, caps, categories, the General: what the source forbids
    wordings   what a model is by the source: Height, Type, on foot, wizard, its rules; restrictions
               that stand in a name or an item's text only, and what they ask
    facts      what other editions say of units and mounts without a stat line
    books      the files of a folder, and a roster file as a tree of selections, each at its place

How it reads what the files leave open:

- A unit has no parent among the selections, so a condition of a unit that asks its parent asks the
  unit itself.
- A group's limit counts what stands in the group and in groups within it, not what is taken on
  that.
- A limit in the roster counts at any depth, also where the file does not say so.
- A limit in the parent of a unit holds in the army.
- What is taken off a limit leaves at least zero.
- Of a group of conditions that are all gone none holds, so that a change under it is not made.
- A category of a group holds for all that stands in it.
- What a limit in the parent allows, it allows to each of so many models.
- What the mark of the General must have comes with it: a list has that mark as a role, and nothing
  on it.
"""
