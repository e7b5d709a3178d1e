"""Games that players upload as their communities’ files.

A worker reads them (`tasks`) and reports on them; only then can they be kept.
"""
