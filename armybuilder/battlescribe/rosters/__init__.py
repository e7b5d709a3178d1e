"""Army lists as rosters of BattleScribe (.ros, zipped .rosz), out and in.

A roster names everything by the ids of BattleScribe's own files. Books that were imported from
such files carry those ids beside them (`catalogs/<system>/battlescribe/<book>.json`), and only
lists of such books can be written and read.

origins, sites: what a book's file says of the source; the places in it, as rosters name them
choosing: a roster's picks -> selections at those places
writing, elements: selections -> the file, the same bytes for the same list
parsing, matching, units, reading: a file of anyone -> a document
remarks: the outcome of everything in such a file
"""

from armybuilder.battlescribe.rosters.parsing import LENGTHS, is_roster, unpacked_length
from armybuilder.battlescribe.rosters.reading import RosterReading, read_roster
from armybuilder.battlescribe.rosters.remarks import Remark
from armybuilder.battlescribe.rosters.writing import can_write, write_ros, write_rosz

__all__ = [
    "LENGTHS",
    "Remark",
    "RosterReading",
    "can_write",
    "is_roster",
    "read_roster",
    "unpacked_length",
    "write_ros",
    "write_rosz",
]
