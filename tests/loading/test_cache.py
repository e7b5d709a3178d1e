"""Values kept in memory: those set longest ago go first, and the newest always stays."""

from armybuilder.loading.cache import Cache


def test_a_cache_keeps_as_many_as_it_may_and_as_fit() -> None:
    most: Cache[str, int] = Cache(2)
    for key in "abac":
        assert most.put(key, 1) == 1
    assert list(most) == ["a", "c"]
    assert (most.get("b"), most.get("c"), len(most)) == (None, 1, 2)
    fitting: Cache[str, int] = Cache(9, lambda values: sum(values) <= 5)
    for key, weight in (("a", 2), ("b", 3), ("c", 2), ("d", 7)):
        fitting.put(key, weight)
        assert fitting.get(key) == weight
    assert list(fitting) == ["d"]
    fitting.clear()
    assert not len(fitting)
