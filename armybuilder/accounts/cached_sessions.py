"""Sessions in the database, remembered in the shared cache for a while: for several machines."""

from django.contrib.sessions.backends.cached_db import SessionStore as CachedStore

from armybuilder.accounts.sessions import Lasting


class SessionStore(Lasting, CachedStore):
    """Sessions in the database, which is asked for those that the cache does not have."""

    # By which `armybuilder.caching` knows them.
    cache_key_prefix = CachedStore.cache_key_prefix
