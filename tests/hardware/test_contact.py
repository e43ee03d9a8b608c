"""What is known of a contact from the edges that were heard and the levels that were seen."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from hardware.contact import Contact
from pi_gm.clock import Seconds
from pi_gm.floor import Edge, History, Reading, reading_at

gaps = st.lists(st.integers(1, 50), max_size=30)


def level_at(history: History, instant: Seconds) -> Reading:
    return reading_at(history, instant, press=0.0, release=0.0)


def alternating(gaps: Sequence[int]) -> list[Edge]:
    """Edges of a contact that was open at 0."""
    return [Edge(float(sum(gaps[: n + 1])), pressed=n % 2 == 0) for n in range(len(gaps))]


def test_it_starts_with_the_level_that_was_read() -> None:
    contact = Contact(10.0, pressed=True)
    assert contact.pressed
    assert level_at(contact.history(10.0), 10.0) is Reading.PRESSED


def test_before_it_was_opened_nothing_is_known() -> None:
    contact = Contact(10.0, pressed=True)
    assert level_at(contact.history(9.0), 9.0) is Reading.UNKNOWN


def test_an_edge_from_before_it_was_opened_is_in_the_level_it_starts_with() -> None:
    contact = Contact(10.0, pressed=False)
    contact.hear(Edge(9.0, pressed=True))
    assert not contact.pressed


def test_silence_is_known_only_up_to_the_last_look() -> None:
    contact = Contact(10.0, pressed=False)
    assert contact.see(20.0, pressed=False)
    assert level_at(contact.history(20.0), 20.0) is Reading.CLEAR
    assert level_at(contact.history(20.5), 20.5) is Reading.UNKNOWN


def test_an_edge_tells_of_the_time_up_to_it_as_well() -> None:
    contact = Contact(10.0, pressed=False)
    contact.hear(Edge(30.0, pressed=True))
    assert level_at(contact.history(29.0), 29.0) is Reading.CLEAR


def test_a_level_that_nothing_explains_proves_nothing() -> None:
    contact = Contact(10.0, pressed=False)
    assert not contact.see(20.0, pressed=True)
    assert level_at(contact.history(20.0), 20.0) is Reading.UNKNOWN


def test_an_edge_that_comes_late_explains_the_level_that_was_seen() -> None:
    contact = Contact(10.0, pressed=False)
    contact.see(20.0, pressed=True)
    contact.hear(Edge(19.0, pressed=True))
    assert contact.see(21.0, pressed=True)
    assert level_at(contact.history(18.0), 18.0) is Reading.CLEAR
    assert level_at(contact.history(19.0), 19.0) is Reading.PRESSED


class TestAfterALostEdge:
    def lost(self) -> Contact:
        contact = Contact(10.0, pressed=False)
        contact.see(15.0, pressed=False)
        contact.start_again(20.0, pressed=True)
        return contact

    def test_the_level_that_was_seen_counts(self) -> None:
        contact = self.lost()
        assert contact.pressed
        assert level_at(contact.history(20.0), 20.0) is Reading.PRESSED

    def test_what_was_known_before_is_known_still(self) -> None:
        assert level_at(self.lost().history(15.0), 15.0) is Reading.CLEAR

    def test_the_time_in_which_it_was_lost_is_unknown(self) -> None:
        assert level_at(self.lost().history(15.1), 15.1) is Reading.UNKNOWN
        assert level_at(self.lost().history(19.9), 19.9) is Reading.UNKNOWN

    def test_the_lost_edge_is_no_news_should_it_come_after_all(self) -> None:
        contact = self.lost()
        contact.hear(Edge(17.0, pressed=True))
        assert level_at(contact.history(17.0), 17.0) is Reading.UNKNOWN


@given(gaps, st.integers(1, 10), st.integers(0, 1500))
def test_a_bounded_history_says_what_the_whole_says_or_that_it_does_not_know(
    gaps: list[int], keep: int, instant: int
) -> None:
    edges = alternating(gaps)
    end = max([0.0, *(edge.at for edge in edges)]) + 1
    bounded = Contact(0.0, pressed=False, keep=keep)
    for edge in edges:
        bounded.hear(edge)
    bounded.see(end, bounded.pressed)
    kept = bounded.history(instant)
    whole = History(0.0, pressed_at_start=False, edges=tuple(edges), until=end)
    assert len(kept.edges) <= keep
    if instant >= kept.since:
        assert level_at(kept, instant) is level_at(whole, instant)
    else:
        assert level_at(kept, instant) is Reading.UNKNOWN


@given(gaps, st.integers(1, 10))
def test_the_last_edges_are_the_ones_that_are_kept(gaps: list[int], keep: int) -> None:
    edges = alternating(gaps)
    contact = Contact(0.0, pressed=False, keep=keep)
    for edge in edges:
        contact.hear(edge)
    assert contact.history(1e9).edges == tuple(edges[-keep:])
