"""Every state that the ballot can be in, one after the other, to be looked at."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Route

from tests.ballots import NAMES, WANTED, Voter, link, voter
from tests.serving import Remote, Serving

Look = Callable[[str, Voter], None]

LONG = {
    **WANTED,
    "question": "Which of the proposals that were put forward at the assembly in spring, in the "
    "order in which they came in, shall be carried out first?",
    "candidates": [
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
        "A playground behind the old school, with a roof over the sandpit and benches for all",
        *[f"Proposal {i}" for i in range(3, 15)],
    ],
    "seats": 2,
}
NO_STORAGE = """
Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('no', 'SecurityError'); },
});
"""


def look_at_all(browser: Browser, server: Serving, client: Any, look: Look, **options: Any) -> None:
    """Lead voters through every state, and look at each."""
    _voting(browser, server, Remote.create(client, **WANTED), look, options)
    _codes(browser, server, client, look, options)
    _long(browser, server, Remote.create(client, **LONG), look, options)
    _without_storage(browser, server, Remote.create(client, **WANTED), look, options)
    _wrong(browser, server, client, look, options)
    _closed(browser, server, Remote.create(client, **WANTED), look, options)


def _voting(
    browser: Browser, server: Serving, remote: Remote, look: Look, options: dict[str, Any]
) -> None:
    with voter(browser, **options) as one:
        one.open(link(server.address, remote))
        look("rank-nobody", one)
        one.pick("Cem", "Ann", "Emil")
        look("rank-some", one)
        one.handle("Emil Eriksson").hover()
        one.page.mouse.down()
        target = one.row("Cem Çelik").bounding_box()
        assert target is not None
        one.page.mouse.move(target["x"] + 200, target["y"] + 6, steps=4)
        look("rank-dragging", one)
        one.page.mouse.up()
        one.press("Check my ranking")
        look("check", one)
        one.press("See what leaves this device")
        look("leaves", one)
        one.page.get_by_text(one.says("The same as it will travel")).click()
        look("leaves-json", one)
        one.page.route("**/reports", lambda route: route.abort())
        one.press("Cast my vote")
        one.button("Send again").wait_for()
        look("unsure", one)
        one.page.unroute("**/reports")
        one.press("Send again")
        one.page.locator(".receipt").wait_for()
        look("cast", one)
        one.press("Is my vote secret?")
        look("secret", one)
        one.press("Close")
        one.press("Change my vote")
        look("change", one)
        one.press("Rank again")
        one.page.locator(".row").first.wait_for()
        look("rank-change", one)
        one.press("Start over")
        for name in ("Bob", "Dörte"):
            one.pick(name)
            one.to_report()
            look(f"leaves-{name[0].lower()}", one)
            one.press("Change the order")
        one.pick("Ann")
        one.press("Check my ranking")
        look("check-spent", one)
        one.press("Take Bob Baker")
        one.cast("Cast this change")
        look("changed", one)
        one.page.reload()
        one.page.locator(".receipt").wait_for()
        look("stands", one)
        one.press("Withdraw my vote")
        look("withdraw", one)
        one.press("Withdraw for good")
        one.hears("withdrawn.title")
        look("withdrawn", one)
        one.press("Forget this device")
        look("forget", one)
        one.press("Erase it")
        one.hears("forgotten.title")
        look("forgotten", one)


def _codes(
    browser: Browser, server: Serving, client: Any, look: Look, options: dict[str, Any]
) -> None:
    wanted = {**WANTED, "mechanism": "challenge", "access": "codes"}
    remote = Remote.create(client, **wanted)
    code = remote.issue(1)[0]
    with voter(browser, **options) as one:
        one.open(link(server.address, remote))
        one.pick(*NAMES)
        one.page.get_by_label(one.says("Your invite code")).fill("ABC")
        one.press("Check my ranking")
        look("code-wrong", one)
        one.page.get_by_label(one.says("Your invite code")).fill(code)
        one.to_report()
        look("leaves-challenge", one)
        one.cast()
        one.press("Is my vote secret?")
        look("secret-codes", one)
    with voter(browser, **options) as other:
        other.open(link(server.address, remote, code))
        look("code-given", other)
        other.pick(*NAMES)
        other.to_report()
        other.press("Cast my vote")
        other.hears("refused.question")
        look("code-used", other)


def _long(
    browser: Browser, server: Serving, remote: Remote, look: Look, options: dict[str, Any]
) -> None:
    with voter(browser, **options) as one:
        one.open(link(server.address, remote))
        one.pick("Donau", "A playground", "Proposal 3", "Proposal 4")
        look("long-rank", one)
        one.press("Check my ranking")
        look("long-check", one)
        one.press("See what leaves this device")
        look("long-leaves", one)


def _without_storage(
    browser: Browser, server: Serving, remote: Remote, look: Look, options: dict[str, Any]
) -> None:
    with voter(browser, **options) as one:
        one.page.add_init_script(NO_STORAGE)
        one.open(link(server.address, remote))
        look("no-storage", one)


def _wrong(
    browser: Browser, server: Serving, client: Any, look: Look, options: dict[str, Any]
) -> None:
    remote = Remote.create(client, **WANTED)
    address = link(server.address, remote)
    with voter(browser, **options) as one:
        one.open(address.partition("#")[0])
        look("no-digest", one)
        one.open(link(server.address, remote, digest="ab" * 32))
        one.hears("wrong.digest.title")
        look("wrong-digest", one)
    with voter(browser, **options) as other:
        other.open(f"{server.address}/p/{'0' * 32}#{remote.poll.digest}")
        look("no-poll", other)

        def away(route: Route) -> None:
            route.abort()

        other.page.route("**/api/**", away)
        other.page.goto("about:blank")
        other.open(address)
        look("unreached", other)
        other.page.unroute("**/api/**", away)
        remote.own("DELETE")
        other.press("Try again")
        other.hears("deleted.title")
        look("deleted", other)


def _closed(
    browser: Browser, server: Serving, remote: Remote, look: Look, options: dict[str, Any]
) -> None:
    with voter(browser, **options) as one:
        one.open(link(server.address, remote))
        one.vote("Ann", "Bob")
        one.press("Change my vote")
        one.press("Rank again")
        one.pick("Cem")
        one.to_report()
        remote.own("POST", "/close")
        one.press("Cast this change")
        one.hears("refused.closed")
        look("closed-meanwhile", one)
        one.page.reload()
        one.hears("closed.title")
        look("closed-cast", one)
    with voter(browser, **options) as late:
        late.open(link(server.address, remote))
        late.hears("closed.title")
        look("closed-uncast", late)
