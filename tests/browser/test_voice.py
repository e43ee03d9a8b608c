"""The host's voice page in the real browser, on a machine without a speaker; and a tablet that speaks in its place."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from pi_gm.speaking.settings import VOICE_FILE, VoiceSettings, write_voice
from tests.browser.devices import Room
from tests.browser.test_night_of_animal_crossing import is_usable_by_all

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def no_speaker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine has: no sound server of this user, and no card."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/nonexistent")
    monkeypatch.setenv("ALSA_CONFIG_PATH", "/dev/null")


def needs_a_voice() -> None:
    if shutil.which("espeak-ng") is None:
        pytest.skip("there is no voice here: apt install espeak-ng")


def voice_page(room: Room) -> Page:
    host = room.host().page
    room.phone("Siobhan")
    host.get_by_role("button", name="More").last.click()
    follow(host, "The voice", "**/host/voice")
    return host


def follow(page: Page, link: str, to: str) -> None:
    """Go to another page, and wait until its script runs."""
    page.get_by_role("link", name=link).click()
    page.wait_for_url(to)


def test_without_a_speaker_the_page_says_so_with_the_cure_and_the_hosts_page_too(room: Room) -> None:
    page = voice_page(room)
    page.get_by_role("button", name="Game master", exact=True).click()
    now = page.locator(".voice-now")
    expect(now).to_contain_text("let a tablet or the TV speak")
    is_usable_by_all(page)
    page.get_by_role("button", name="Listen", exact=True).click()
    expect(page.locator("[data-answer]")).to_contain_text("let a tablet or the TV speak")
    follow(page, "Back to the host’s page", "**/host")
    expect(page.locator(".panel")).to_contain_text("No sound")
    follow(page, "See to it", "**/host/voice")
    page.get_by_role("button", name="Nowhere").click()
    expect(now).to_contain_text("Switched off")
    follow(page, "Back to the host’s page", "**/host")
    expect(page.locator("#next")).to_be_visible()
    expect(page.locator(".panel")).not_to_contain_text("No sound")


def test_a_name_is_said_another_way(room: Room) -> None:
    page = voice_page(room)
    page.get_by_label("Say Siobhan as").fill("Shivawn")
    page.get_by_role("button", name="Keep").click()
    expect(page.locator(".voice-name")).to_contain_text("said “Shivawn”")


def test_on_a_phone_what_is_said_is_read_along_by_whoever_asked_for_it_and_the_phone_keeps_that(
    room: Room,
) -> None:
    host, phone, other = room.host().page, room.phone("Ana").page, room.phone("Ben").page
    line = phone.locator(".phone-foot .caption")
    whatever_is_said_before = 30_000
    expect(line).to_be_hidden()
    phone.get_by_role("button", name="Read along what is said").click()
    expect(line).to_contain_text("Ben", timeout=whatever_is_said_before)
    host.fill("#add-name", "Oma")
    host.get_by_role("button", name="Add").click()
    expect(line).to_contain_text("Oma", timeout=whatever_is_said_before)
    is_usable_by_all(phone)
    phone.reload()
    expect(line).to_contain_text("Oma", timeout=whatever_is_said_before)
    expect(other.locator(".phone-foot .caption")).to_be_hidden()


def test_a_tablet_whose_sound_is_on_plays_the_clips_and_one_device_speaks_at_a_time(room: Room) -> None:
    needs_a_voice()
    page = voice_page(room)
    page.locator("[data-sound]").click()
    expect(page.locator(".voice-now")).to_contain_text("All is well")
    with page.expect_response(lambda answer: "/clips/" in answer.url) as played:
        page.get_by_role("button", name="Listen to Siobhan").click()
    assert played.value.ok
    expect(page.locator("[data-sound]")).to_have_attribute("aria-pressed", "true")
    tv = room.device("tv", "/tv")
    tv.locator("[data-sound]").click()
    expect(tv.locator("[data-sound]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-sound]")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[data-answer]")).to_contain_text("Another device is the speaker now.")
    expect(page.locator(".voice-now")).to_contain_text("All is well")


SHY = """
  let allowed = true;
  const contexts = [];
  class Shy extends AudioContext {
    constructor() { super(); contexts.push(this); }
    get state() { return allowed ? super.state : "suspended"; }
    resume() { return allowed ? super.resume() : new Promise(() => {}); }
  }
  globalThis.AudioContext = Shy;
  globalThis.allow = (isAllowed) => {
    allowed = isAllowed;
    for (const each of contexts) each.dispatchEvent(new Event("statechange"));
  };
"""
"""A browser that lets pages sound or not, as ``allow(...)`` says."""


def test_a_page_that_its_browser_lets_not_sound_any_more_is_told_until_it_may_again(room: Room) -> None:
    needs_a_voice()
    page = voice_page(room)
    page.add_init_script(SHY)
    page.reload()
    switch, now = page.locator("[data-sound]"), page.locator(".voice-now")
    switch.click()
    expect(now).to_contain_text("All is well")
    page.evaluate("allow(false)")
    expect(now).to_contain_text("Tap its sound switch again")
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[data-answer]")).to_contain_text("This device fell silent")
    is_usable_by_all(page)
    page.evaluate("allow(true)")
    expect(now).to_contain_text("All is well")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(now).to_contain_text("Nothing to hear it on")


SLOW_TO_WAKE = SHY.replace(
    ": new Promise(() => {})", ": new Promise((wakes) => this.addEventListener('statechange', wakes))"
)
SLOW_TO_WAKE += """
  const later = globalThis.setTimeout;
  globalThis.waitForIt = () => {
    globalThis.setTimeout = (then, wait, ...rest) => (wait === 1000 ? 0 : later(then, wait, ...rest));
  };
"""
"""One that answers a tap as soon as ``allow(true)`` is called; a page waits a second for that, or with ``waitForIt()`` for
ever."""


def test_of_two_devices_that_are_tapped_at_once_the_one_that_is_slow_to_wake_does_not_take_the_sound_back(
    room: Room,
) -> None:
    needs_a_voice()
    page = voice_page(room)
    page.add_init_script(SLOW_TO_WAKE)
    page.reload()
    switch = page.locator("[data-sound]")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.evaluate("allow(false)")
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.evaluate("waitForIt()")
    switch.click()
    tv = room.device("tv", "/tv")
    tv.locator("[data-sound]").click()
    expect(page.locator("[data-answer]")).to_contain_text("Another device is the speaker now.")
    page.evaluate("allow(true)")
    with tv.expect_response(lambda answer: "/clips/" in answer.url):
        page.get_by_role("button", name="Listen to Siobhan").click()
    expect(tv.locator("[data-sound]")).to_have_attribute("aria-pressed", "true")
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_a_tap_whose_stream_breaks_off_before_the_game_master_knows_of_it_is_not_forgotten(
    room: Room,
) -> None:
    page = voice_page(room)
    tv = room.device("tv", "/tv")
    tv.locator("[data-sound]").click()
    expect(page.locator(".voice-now")).to_contain_text("All is well")
    asked: list[str] = []

    def breaks_off_at_first(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(content_type="text/event-stream", body="event: heartbeat\ndata: {}\n\n")
        else:
            route.continue_()

    page.route("**/live/voice?sound=**", breaks_off_at_first)
    page.locator("[data-sound]").click()
    expect(tv.locator("[data-sound]")).to_have_attribute("aria-pressed", "false")
    assert ["sound=on" in url for url in asked] == [True, True]
    expect(page.locator("[data-sound]")).to_have_attribute("aria-pressed", "true")


def test_a_switch_on_a_page_that_may_not_sound_stays_off_and_says_so(room: Room) -> None:
    page = voice_page(room)
    page.add_init_script(SHY)
    page.reload()
    page.evaluate("allow(false)")
    switch = page.locator("[data-sound]")
    switch.click()
    expect(page.locator("[data-answer]")).to_contain_text("This device cannot sound")
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".voice-now")).to_contain_text("Nothing to hear it on")


def test_a_clip_that_could_not_be_fetched_is_tried_again_and_one_that_cannot_be_played_is_told(
    room: Room,
) -> None:
    needs_a_voice()
    page = voice_page(room)
    asked: list[str] = []

    def fails_at_first(route: Route) -> None:
        asked.append(route.request.url)
        if asked.count(route.request.url) == 1:
            route.fulfill(status=409)
        else:
            route.continue_()

    page.route("**/clips/**", fails_at_first)
    page.locator("[data-sound]").click()
    expect(page.locator(".voice-now")).to_contain_text("All is well")
    with page.expect_response(lambda answer: "/clips/" in answer.url and answer.ok):
        page.get_by_role("button", name="Listen to Siobhan").click()
    page.unroute("**/clips/**")
    page.route("**/clips/**", lambda route: route.fulfill(body="no sound"))
    page.get_by_role("button", name="Listen", exact=True).click()
    expect(page.locator(".voice-now")).to_contain_text("cannot sound")


@pytest.fixture
def no_voice(tmp_path: Path) -> None:
    write_voice(tmp_path / VOICE_FILE, VoiceSettings(engine="piper", voice="/gone.onnx"))


HOARSE = """
  globalThis.canSpeak = false;
  speechSynthesis.speak = (words) => setTimeout(() => {
    if (!words.text) return;
    const about = { utterance: words };
    const happens = (name) => words.dispatchEvent(new SpeechSynthesisEvent(name, about));
    if (canSpeak) ["start", "end"].forEach(happens);
    else words.dispatchEvent(new SpeechSynthesisErrorEvent("error", { ...about, error: "voice-unavailable" }));
  });
"""
"""A browser with a voice of its own, or without one, as ``canSpeak`` says."""


def test_a_page_that_has_to_speak_by_itself_and_cannot_is_told_until_it_can_again(
    no_voice: None, room: Room
) -> None:
    page = voice_page(room)
    page.add_init_script(HOARSE)
    page.reload()
    page.locator("[data-sound]").click()
    now = page.locator(".voice-now")
    expect(now).to_contain_text("All is well")
    room.phone("Oma")
    expect(now).to_contain_text("cannot speak by itself")
    expect(page.locator("[data-sound]")).to_have_attribute("aria-pressed", "false")
    page.evaluate("canSpeak = true")
    room.phone("Opa")
    expect(now).to_contain_text("All is well")
    expect(page.locator("[data-sound]")).to_have_attribute("aria-pressed", "true")
