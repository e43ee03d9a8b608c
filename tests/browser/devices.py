"""The devices in the room, and what people do with them."""

import re

from playwright.sync_api import Browser, BrowserContext, Page, expect

NAME = "animal.local"
PIN = "246810"
SIZES = {"phone": (390, 844), "tablet": (1180, 820), "tv": (1920, 1080), "laptop": (1440, 900)}


class Room:
    """Every device of the night; errors on any page are collected."""

    def __init__(self, browser: Browser, home: str, code: str) -> None:
        self._browser = browser
        self._home = home.rstrip("/")
        self._contexts: list[BrowserContext] = []
        self.code = code
        self.errors: list[str] = []

    def device(self, kind: str, path: str) -> Page:
        """A device of its own, with cookies of its own, that opens ``path``."""
        width, height = SIZES[kind]
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, has_touch=kind in ("phone", "tablet")
        )
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(f"{path}: {error}"))
        page.on("console", lambda said: self._note(path, said.type, said.text))
        page.on("request", lambda request: self._stays_here(request.url))
        page.goto(self._home + path)
        return page

    def _note(self, path: str, kind: str, text: str) -> None:
        # A no is answered with a 4xx, which the browser reports as an error; the page tells it to the player.
        if kind == "error" and "status of 409" not in text:
            self.errors.append(f"{path}: {text}")

    def _stays_here(self, url: str) -> None:
        if not url.startswith((self._home, "data:", "blob:")):
            self.errors.append(f"asked outside this machine: {url}")

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def host(self) -> "Host":
        page = self.device("tablet", "/host")
        page.locator("input").first.fill(PIN)
        page.keyboard.press("Enter")
        expect(page.locator("#next")).to_be_visible()
        return Host(page)

    def phone(self, name: str) -> "Phone":
        page = self.device("phone", f"/j/{self.code}")
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Sit down").click()
        expect(page.locator(".phone-head .name")).to_have_text(name)
        return Phone(page, name)

    def simulated(self) -> "LivingRoom":
        return LivingRoom(self.device("laptop", "/room"))


class Host:
    """The host's tablet."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, label: str) -> None:
        """Press the one big button, once it says ``label``."""
        button = self.page.locator("#next")
        expect(button).to_have_text(re.compile(label), timeout=10_000)
        expect(button).to_be_enabled()
        button.click()

    def answer(self, question: str, answer: str) -> None:
        """Rule on a doubt."""
        card = self.page.locator(".question", has_text=re.compile(question))
        card.get_by_role("button", name=answer, exact=True).click()
        expect(card).to_have_count(0)

    def rule(self, name: str, place: str) -> None:
        """Tap a player, then a place."""
        self.page.locator("button.piece", has_text=name).first.click()
        dialog = self.page.get_by_role("dialog").filter(has_text=name)
        dialog.get_by_role("button", name=re.compile(place)).click()
        expect(dialog).to_have_count(0)


class Phone:
    """A player's phone."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name

    def pick(self, animal: str) -> None:
        self.page.locator(f'[data-key="pick-{animal}"]').click()
        expect(self.page.get_by_role("heading", name="You have chosen")).to_be_visible()

    def peek(self) -> str:
        """What the phone shows while the button is held, and at no other time."""
        card = self.page.locator("#own-animal")
        expect(card).to_be_hidden()
        button = self.page.locator('[data-hold="#own-animal"]')
        button.scroll_into_view_if_needed()
        button.hover()
        self.page.mouse.down()
        expect(card).to_be_visible()
        shown = card.inner_text()
        self.page.mouse.up()
        expect(card).to_be_hidden()
        return shown.strip().lower()

    def check_in(self, place: str) -> None:
        button = self.page.locator(f'[data-key="go-{place}"]')
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")

    def reload(self) -> None:
        self.page.reload()
        expect(self.page.locator(".phone-head .name")).to_have_text(self.name)


class LivingRoom:
    """The simulated living room on the laptop."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def figure_of(self, name: str) -> str:
        """The key of a player's figure."""
        key = self.page.locator("[data-figure]", has_text=name).first.get_attribute("data-figure")
        assert key is not None
        return key

    def drag(self, figure: str, target: str) -> None:
        """Drag a figure onto something, which is a CSS selector."""
        self.page.locator(f'[data-figure="{figure}"]').drag_to(self.page.locator(target).first)
        expect(self.page.locator(f'{target} [data-figure="{figure}"]')).to_have_count(1)

    def walk(self, name: str, place: str) -> None:
        self.drag(self.figure_of(name), f'[data-place="{place}"]')

    def key(self, name: str, key: str, place: str) -> None:
        """The same with the keyboard."""
        figure = self.figure_of(name)
        self.page.locator(f'[data-figure="{figure}"]').focus()
        self.page.keyboard.press(key)
        expect(self.page.locator(f'[data-place="{place}"] [data-figure="{figure}"]')).to_have_count(1)
