"""The rules of the pages' scripts that need no browser, tried in Node.js where there is one."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = Path(__file__).parents[2] / "web" / "static"
NODE = shutil.which("node") or shutil.which("nodejs")

needs_node = pytest.mark.skipif(NODE is None, reason="there is no Node.js on this machine")


def worked_out(script: str, expressions: str) -> Any:
    """What a JavaScript array of ``expressions`` about the module ``m`` comes to."""
    assert NODE is not None
    source = json.dumps((SCRIPTS / script).read_text(encoding="utf-8"))
    program = (
        f"const m = await import('data:text/javascript,' + encodeURIComponent({source}));"
        f"console.log(JSON.stringify([{expressions}]));"
    )
    ran = subprocess.run(
        [NODE, "--input-type=module"], input=program, capture_output=True, text=True, check=False, timeout=30
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@needs_node
def test_a_page_is_taken_if_it_is_the_first_or_newer_or_of_another_start_of_the_program() -> None:
    page = '{boot: "a", v: 3}'
    assert worked_out(
        "reopen.js",
        f"m.isNewer(null, {page}), m.isNewer({page}, {{boot: 'a', v: 4}}), m.isNewer({page}, {{boot: 'b', v: 1}}),"
        f"m.isNewer({page}, {page}), m.isNewer({page}, {{boot: 'a', v: 2}})",
    ) == [True, True, True, False, False]


@needs_node
def test_a_stream_is_dead_after_two_and_a_half_signs_of_life_that_did_not_come() -> None:
    assert worked_out("reopen.js", "m.isSilent(0, 25000), m.isSilent(0, 25001)") == [False, True]


@needs_node
def test_tries_to_reopen_come_later_and_later_and_not_all_at_once() -> None:
    first, later, latest, spread = worked_out(
        "reopen.js",
        "m.waitAfter(0, 0.5), m.waitAfter(2, 0.5), m.waitAfter(50, 0.5), [m.waitAfter(0, 0), m.waitAfter(0, 1)]",
    )
    assert (first, later, latest) == (500, 2000, 8000)
    assert spread == [375, 625]


@needs_node
def test_a_page_that_was_just_opened_says_nothing_of_what_was_said_before() -> None:
    say = "say: [{number: 4}, {number: 5}], newest: 5"
    first, later, nothing, cleared = worked_out(
        "reopen.js",
        f"m.toSay({{{say}}}, null), m.toSay({{{say}}}, 4), m.toSay({{say: [], newest: 9}}, 5),"
        "m.toSay({say: [{number: 1}], newest: 1}, 9)",
    )
    assert first == {"news": [], "upTo": 5}
    assert later == {"news": [{"number": 5}], "upTo": 5}
    assert nothing == {"news": [], "upTo": 9}, "what came in quiet mode is never said"
    assert cleared == {"news": [{"number": 1}], "upTo": 1}, "numbers begin anew at a cleared table"


@needs_node
def test_the_buzzer_empties_what_waits_and_a_tick_cuts_in() -> None:
    waiting = '[{number: 1, urgency: 3, key: "round"}, {number: 2, urgency: 2, key: "sank"}]'
    buzzer, tick, plain = worked_out(
        "speech.js",
        f'm.queued({waiting}, [{{number: 3, urgency: 0, key: "buzzer"}}]),'
        f'm.queued({waiting}, [{{number: 3, urgency: 1, key: "time"}}]),'
        f'm.queued({waiting}, [{{number: 3, urgency: 3, key: "round"}}])',
    )
    assert [each["number"] for each in buzzer["queue"]] == [3]
    assert buzzer["cutsIn"]
    assert [each["number"] for each in tick["queue"]] == [3, 2, 1]
    assert tick["cutsIn"]
    assert [each["number"] for each in plain["queue"]] == [2, 3], (
        "a newer caption takes the place of an older one"
    )
    assert not plain["cutsIn"]


def ticks(*asked: str, counted: str = "{begins: 0, ends: 110}") -> list[bool]:
    """What a page answers to each question that is ``asked`` of its ticks, in this order."""
    answers = ",".join(f"t.{question}" for question in asked)
    answered: list[bool] = worked_out(
        "ticks.js", f"...(() => {{ const t = new m.Ticks(), c = {counted}; return [{answers}]; }})()"
    )
    return answered


@needs_node
def test_a_page_ticks_ten_times_once_a_second_before_the_end() -> None:
    moments = [f"isDue(c, {95 + tenth / 10}, true)" for tenth in range(200)]
    due = ticks(*moments)
    assert [95 + tenth / 10 for tenth, is_due in enumerate(due) if is_due] == list(range(100, 110))


@needs_node
def test_however_short_a_countdown_is_a_page_ticks_its_last_seconds_and_none_before_it_begins() -> None:
    moments = [f"isDue(c, {100 + tenth / 10}, true)" for tenth in range(200)]
    assert sum(ticks(*moments, counted="{begins: 104, ends: 107}")) == 3
    assert sum(ticks(*moments, counted="null")) == 0


@needs_node
def test_the_ticks_stand_with_the_time_and_late_ones_are_not_made_up_for() -> None:
    assert ticks(
        "isDue(c, 101, false)", "isDue(c, 101, true)", "isDue(c, 105.3, true)", "isDue(c, 106, true)"
    ) == [False, True, False, True]


@needs_node
def test_time_that_was_given_back_ticks_again_and_a_word_that_counts_ticks_with_its_second_only() -> None:
    assert ticks("isDue(c, 105, true)", "isDue(c, 101, true)") == [True, True]
    assert ticks("isDue(c, 100, true)", "isFirst(100.1)", "isDue(c, 100.2, true)") == [True, False, False]
    assert ticks("isFirst(99.9)", "isDue(c, 100, true)", "isDue(c, 101, true)") == [True, False, True]


@needs_node
def test_no_sentence_begins_while_every_second_ticks() -> None:
    assert ticks("isOn(c, 99, true)", "isOn(c, 100, true)", "isOn(c, 105, false)", "isOn(null, 105, true)") == [
        False, True, False, False
    ]  # fmt: skip
    (counted,) = worked_out("ticks.js", 'm.countdown("104.5 110")')
    assert counted == {"begins": 104.5, "ends": 110}


@needs_node
def test_a_clip_whose_moment_is_over_is_not_begun_however_the_time_went_by() -> None:
    assert worked_out(
        "speech.js",
        "m.isTooLate({late: 0.1, latest: 1}, 200), m.isTooLate({late: 0, latest: 1}, 1001),"
        "m.isTooLate({late: 1.2, latest: 1}, 0), m.isTooLate({late: 0.6, latest: 1}, 500),"
        "m.isTooLate({late: 0.1, latest: 0.25}, 100), m.isTooLate({late: 0.1, latest: 0.25}, 200)",
    ) == [False, True, True, True, False, True]


@needs_node
def test_a_clip_that_is_told_twice_is_begun_once() -> None:
    told = '{number: 3, clip: "a.wav"}'
    assert worked_out(
        "speech.js",
        f'm.isNews({told}, {told}), m.isNews({told}, {{number: 4, clip: "a.wav"}}),'
        f"m.isNews({told}, {{number: 0, clip: null}})",
    ) == [False, True, True]


@needs_node
def test_the_time_that_is_left_runs_at_the_tables_pace_and_stands_with_it() -> None:
    assert worked_out(
        "clock.js",
        "m.secondsLeft(100, {now: 40, runs: true, pace: 1, heardAt: 0}, 5000),"
        "m.secondsLeft(100, {now: 40, runs: true, pace: 10, heardAt: 0}, 5000),"
        "m.secondsLeft(100, {now: 40, runs: false, pace: 1, heardAt: 0}, 5000),"
        "m.secondsLeft(100, {now: 99, runs: true, pace: 1, heardAt: 0}, 5000)",
    ) == [55, 10, 60, 0]


@needs_node
def test_a_countdown_that_waits_for_the_end_of_a_sentence_stands_at_its_full_time() -> None:
    assert worked_out(
        "clock.js", "m.shownSeconds(33.5, '30'), m.shownSeconds(12, '30'), m.shownSeconds(12)"
    ) == [
        30,
        12,
        12,
    ]


@needs_node
def test_the_time_that_is_left_reads_as_minutes_and_seconds() -> None:
    assert worked_out("clock.js", "[420, 61.2, 60, 9.5, 0.4, 0].map(m.inWords)") == [
        ["7:00", "1:02", "1:00", "0:10", "0:01", "0:00"]
    ]


WELCOME = '{number: 1, key: "seat", urgency: 3, pause: 0, takes: 3, text: "Welcome"}'
LOADS = '{number: 2, key: "loads", urgency: 3, pause: 0, takes: 5, text: "Loads"}'
SANK = '{number: 3, key: "sank", urgency: 2, pause: 0, takes: 4, text: "Sank"}'
TEN = '{number: 4, key: "tick", urgency: 1, pause: 0, takes: 2, text: "Ten"}'
BUZZ = '{number: 5, key: "buzzer", urgency: 0, pause: 0, takes: 2, text: "Stop"}'
FIRST = '{number: 6, key: "rank", urgency: 2, pause: 2, takes: 3, text: "First"}'


def shown(*steps: str) -> Any:
    """What stands in a line of captions at each time of ``steps``; the others are what it heard, and when."""
    heard = ",".join(step if step.startswith("[") else f"[null, {step}]" for step in steps)
    return worked_out(
        "speech.js",
        "...((line) => [" + heard + "].flatMap(([news, now]) => news"
        " ? (line.heard(news, now), []) : [line.at(now)?.text ?? null]))(new m.CaptionLine())",
    )


def heard(now: float, *captions: str) -> str:
    return f"[[{','.join(captions)}], {now}]"


@needs_node
def test_captions_stand_one_after_the_other_each_as_long_as_it_is_said() -> None:
    assert shown("0", heard(1, WELCOME, LOADS), "1", "3.9", "4", "100") == [
        None,
        "Welcome",
        "Welcome",
        "Loads",
        "Loads",
    ]


@needs_node
def test_a_caption_that_comes_later_waits_for_the_one_before_and_is_shown_once() -> None:
    assert shown(heard(0, WELCOME), "0", heard(1, WELCOME, LOADS), "2", "3", heard(4, LOADS), "9") == [
        "Welcome",
        "Welcome",
        "Loads",
        "Loads",
    ]


@needs_node
def test_who_sank_is_shown_before_information_that_waits() -> None:
    assert shown(heard(0, WELCOME, LOADS, SANK), "0", "4") == ["Sank", "Welcome"]


@needs_node
def test_a_tick_cuts_into_who_sank_which_is_shown_again() -> None:
    assert shown(heard(0, SANK), "1", heard(1, TEN), "1", "2.9", "3", "100") == [
        "Sank",
        "Ten",
        "Ten",
        "Sank",
        "Sank",
    ]


@needs_node
def test_the_buzzer_is_shown_at_once_and_what_waited_before_it_is_not() -> None:
    assert shown(heard(0, WELCOME, LOADS, SANK), "1", heard(1, BUZZ), "1", "100") == ["Sank", "Stop", "Stop"]


@needs_node
def test_a_caption_behind_a_silence_waits_for_that_too() -> None:
    assert shown(heard(0, SANK, FIRST), "0", "5.9", "6") == ["Sank", "Sank", "First"]


@needs_node
def test_counting_begins_anew_at_a_cleared_table() -> None:
    assert shown(heard(0, LOADS), "1", heard(1), "1", heard(2, WELCOME), "2") == ["Loads", None, "Welcome"]


@needs_node
def test_a_field_becomes_what_the_command_needs() -> None:
    assert worked_out(
        "forms.js",
        'm.convert("7", "int"), m.convert(" ", "int"), m.convert("x", "int"), m.convert(true, "bool"),'
        'm.convert("false", "bool"), m.convert("4 7", "loads"), m.convert("A4, B7", "loads"), m.convert("", "loads"),'
        'm.convert("4 6\\n\\n4 7 5\\n", "rounds"), m.convert("", "rounds"), m.convert("Ana", undefined)',
    ) == [7, None, "x", True, False, [4, 7], [4, 7], [], [[4, 6], [4, 7, 5]], [], "Ana"]


@needs_node
def test_a_form_fills_in_a_command_or_one_member_of_it() -> None:
    assert worked_out(
        "forms.js",
        'm.filledIn({type: "add-seat"}, {name: "Ana"}, undefined),'
        'm.filledIn({type: "choose-options"}, {rounds: 3}, "options"),'
        'm.filledIn({type: "choose-options", options: {rafts: 2}}, {rounds: 3}, "options")',
    ) == [
        {"type": "add-seat", "name": "Ana"},
        {"type": "choose-options", "options": {"rounds": 3}},
        {"type": "choose-options", "options": {"rafts": 2, "rounds": 3}},
    ]


def test_scripts_load_nothing_but_each_other() -> None:
    found = 0
    for script in SCRIPTS.glob("*.js"):
        for imported in re.findall(r'from "([^"]+)"', script.read_text(encoding="utf-8")):
            found += 1
            assert re.fullmatch(r"\./[a-z]+\.js", imported)
            assert (SCRIPTS / imported).exists(), f"{script.name} wants {imported}"
    assert found > 10


@pytest.mark.parametrize(
    "missing", ["randomUUID", "wakeLock", "clipboard", "serviceWorker", "crypto.subtle", "innerText", "eval("]
)
def test_scripts_use_nothing_that_plain_http_or_our_own_rules_forbid(missing: str) -> None:
    for script in SCRIPTS.glob("*.js"):
        assert missing not in script.read_text(encoding="utf-8"), script.name


@needs_node
def test_a_row_of_the_photo_finish_is_lit_while_somebody_is_on_the_mat() -> None:
    presses = "[[-3, -1], [0, 0.4]]"
    moments = (-3.1, -3, -1.01, -1, 0, 0.4)
    assert worked_out("film.js", ",".join(f"m.isOn({presses}, {moment})" for moment in moments)) == [
        False,
        True,
        True,
        False,
        True,
        False,
    ]


@needs_node
def test_a_moment_is_told_against_the_buzzer() -> None:
    assert worked_out("film.js", "m.inWords(-1.4), m.inWords(0), m.inWords(0.2)") == [
        "1.40 s before",
        "buzzer",
        "0.20 s after",
    ]


@needs_node
def test_on_the_tv_the_end_comes_once_more_and_slowly_and_then_it_rests_at_the_buzzer() -> None:
    assert worked_out(
        "film.js", ",".join(f"m.momentOfLoop({second}, -5, 0.4)" for second in (0, 5, 5.4, 9.4, 13.5, 16.1))
    ) == pytest.approx([-5, 0, -1.5, -0.5, 0, -5], abs=0.11)
