"""Room on the interpreter's stack for what calls deep, as templates within templates do.

CPython keeps the frames of its calls in pieces of 16 KB, and takes or gives back a piece whenever
a call crosses an edge: a loop that happens to call across one takes many times as long (measured
on CPython 3.11, 3.12 and 3.13; a page of the builder up to seven times). A frame that asks for more
gets a large piece, and all it calls finds room behind it. Memory that no call needs is never
touched.
"""

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar, cast

_View = TypeVar("_View", bound=Callable[..., Any])

#: Words that the frame of a roomy call asks for. It gets the next power of two in bytes, 256 KB, so
#: that about 96 KB are left for what it calls.
_WORDS = 20_000


def roomy(view: _View) -> _View:
    """The same function, which is called with room on the stack. As the first of `MIDDLEWARE` it
    gives room to every page.
    """

    @wraps(view)
    def called(*args: Any, **kwargs: Any) -> Any:
        return view(*args, **kwargs)

    function = cast(FunctionType, called)
    function.__code__ = function.__code__.replace(co_stacksize=_WORDS)
    return cast(_View, called)
