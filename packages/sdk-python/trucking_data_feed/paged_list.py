"""Lists that are asked for page by page."""

from __future__ import annotations

from typing import Any, Callable, Generic, Iterator, Mapping, Optional, TypeVar

Page = TypeVar("Page", bound=Mapping[str, Any])
Entry = TypeVar("Entry")


class PagedList(Generic[Page, Entry]):
    """A list that is asked for by pages while the caller reads. Each loop over it reads from the start."""

    def __init__(self, pages: Callable[[], Iterator[Page]]) -> None:
        self.pages = pages

    def __iter__(self) -> Iterator[Entry]:
        for page in self.pages():
            yield from page["data"]


def by_cursor(read: Callable[[Mapping[str, Any]], Any], first: Optional[str] = None) -> PagedList[Any, Any]:
    """The list whose pages name the cursor of the next one."""

    def pages() -> Iterator[Any]:
        at = {} if first is None else {"cursor": first}
        while True:
            page = read(at)
            yield page
            if page["next_cursor"] is None:
                return
            at = {"cursor": page["next_cursor"]}

    return PagedList(pages)
