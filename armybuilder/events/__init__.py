"""Events: players enter, submit lists, organisers check them, and at a told time lists are seen.

What an event asks of lists is its pack; what may be done at which time says `clock`, and who may
see what says `seeing`: pure, and asked by pages, files and mails alike.
"""
