"""Army lists as rosters of BattleScribe (.ros, zipped .rosz), out and in.

A roster names everything by the ids of BattleScribe's own files, which books imported from them
carry beside them (`catalogs/<system>/battlescribe/<book>.json`): only lists of such books go over.
`sites` are the places so named, `choosing`, `describing` and `writing` the way out, `parsing`,
`matching`, `units` and `reading` the way in; `roster_ids` keep the order of the list, `remarks`
tell what did not go over.
"""

from armybuilder.battlescribe.rosters.parsing import LENGTHS, is_roster, unpacked_length
from armybuilder.battlescribe.rosters.reading import RosterReading, read_roster
from armybuilder.battlescribe.rosters.remarks import Remark
from armybuilder.battlescribe.rosters.writing import data_of, write_ros, write_rosz

__all__ = [
    "LENGTHS",
    "Remark",
    "RosterReading",
    "data_of",
    "is_roster",
    "read_roster",
    "unpacked_length",
    "write_ros",
    "write_rosz",
]
