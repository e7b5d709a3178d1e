"""BattleScribe rosters (.ros, zipped .rosz): export and import of army lists.

A roster names everything by the ids of BattleScribe's files, which books imported from them keep in
`catalogs/<system>/battlescribe/<book>.json`; only lists of such books can be exported. `sites` are
the named places; `choosing`, `describing` and `writing` export; `parsing`, `matching`, `units` and
`reading` import. `roster_ids` keep the order of the list, `remarks` report losses.
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
