"""The page of a trace, in headless Chromium: what a user does, and what must not happen.

    tests/page/page_test.py --harrier build/bin/harrier

Exit code 77: there is no Chromium. What it prints about time is for readers: no test depends on it.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import browser
import models

SOURCES = pathlib.Path(__file__).resolve().parents[2]
HARRIER = None
BROWSER = None
FOLDER = None

STEP = 'document.querySelector(".transport .where b").textContent'
LISTED = '[...document.querySelectorAll(".row.step .title")].map((title) => title.textContent)'
LISTED_COUNT = 'document.querySelector(".steps .count").textContent'


def escaped(data):
    """JSON as the page carries it."""
    text = json.dumps(data, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def write(name, text):
    path = FOLDER / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def make(name, *arguments, code=10):
    """The page of a witness, by `harrier check`."""
    path = str(FOLDER / f"{name}.html")
    run = subprocess.run([HARRIER, "check", *arguments, "--html", path, "--quiet"], capture_output=True, text=True)
    if run.returncode != code:
        raise AssertionError(f"exit code {run.returncode}: {run.stdout}{run.stderr}")
    return path


def data_of(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    return json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL).group(1))


class PageTest(unittest.TestCase):
    def setUp(self):
        self.page = None

    def open(self, url, **options):
        self.page = BROWSER.open(url, **options)
        return self.page

    # No page makes a request, or has anything to complain about.
    def tearDown(self):
        if self.page is not None:
            self.page.settle()
            self.assertEqual(self.page.requests, [])
            self.assertEqual(self.page.problems, [])
            self.page.close()

    def rows(self, selector=".row.entry"):
        """The table of the state: values by name."""
        return dict(self.page.run(f"""[...document.querySelectorAll('{selector}')].map((row) =>
            [row.querySelector('.name').textContent, row.querySelector('.value b')?.textContent ?? ''])"""))


class FischerTest(PageTest):
    """A network of timed automata: locations, clocks, zones, automata, sources."""

    @classmethod
    def setUpClass(cls):
        cls.path = make("fischer", str(SOURCES / "models/fischer-faulty.xta"))

    def test_keys(self):
        page = self.open(self.path)
        self.assertEqual(page.run(STEP), "start")
        page.key("ArrowRight", times=2)
        self.assertEqual(page.run(STEP), "step 2")
        page.key("ArrowDown")
        self.assertEqual(page.run(STEP), "step 3")
        page.key("ArrowLeft")
        page.key("ArrowUp")
        self.assertEqual(page.run(STEP), "step 1")
        page.key("End")
        self.assertEqual(page.run(STEP), "step 6")
        page.key("ArrowRight")
        self.assertEqual(page.run(STEP), "step 6")
        page.key("Home")
        self.assertEqual(page.run(STEP), "start")
        page.key("PageDown")
        self.assertEqual(page.run(STEP), "step 6")
        page.key("?")
        self.assertTrue(page.run('document.querySelector("dialog").open'))

    def test_buttons_and_slider(self):
        page = self.open(self.path)
        page.click('button[aria-label="Next"]')
        page.click('button[aria-label="Next"]')
        self.assertEqual(page.run(STEP), "step 2")
        page.click('button[aria-label="Last"]')
        self.assertEqual(page.run(STEP), "step 6")
        page.run('document.querySelector(".slider input").focus()')
        page.key("ArrowLeft")
        self.assertEqual(page.run(STEP), "step 5")
        page.run("""{ const slider = document.querySelector('.slider input'); slider.value = 3;
            slider.dispatchEvent(new Event('input')); }""")
        self.assertEqual(page.run(STEP), "step 3")
        said = page.run('document.querySelector(".slider input").getAttribute("aria-valuetext")')
        self.assertIn("P(2): req → wait", said)

    def test_deep_link(self):
        page = self.open(self.path + "#step=4")
        self.assertEqual(page.run(STEP), "step 4")
        page.key("ArrowRight")
        page.wait_for("location.hash === '#step=5'")
        page.run("location.hash = '#step=2'")
        page.wait_for(f"{STEP} === 'step 2'")
        page.run("location.hash = '#nonsense'")
        page.settle()
        self.assertEqual(page.run(STEP), "step 2")
        page.run("location.hash = '#step=999'")
        page.wait_for(f"{STEP} === 'step 6'")

    def test_state(self):
        page = self.open(self.path + "#step=5")
        self.assertEqual(page.text(".transport .where"), "step 5 of 6 · t = 10")
        rows = self.rows()
        self.assertEqual((rows["P(1)"], rows["P(2)"], rows["id"]), ("wait", "cs", "1"))
        self.assertEqual((rows["P(1).x"], rows["P(2).x"]), ("0", "10"))
        # What was set is marked; clocks that only ran on are not.
        self.assertEqual(set(self.rows(".row.entry.changed:not(:has(.name:only-child))")), {"P(1)", "id", "P(1).x"})
        page.key("ArrowRight")
        self.assertEqual(set(self.rows(".row.entry.changed:not(:has(.name:only-child))")), {"P(1)"})
        self.assertEqual(self.rows()["P(2).x"], "20")
        self.assertIn("P(1).x >= 10", self.rows())  # of the zone
        page.run('document.querySelector(".state input[type=checkbox]").click()')
        page.settle()
        self.assertNotIn("id", self.rows())
        self.assertIn("P(1)", self.rows())

    def test_state_is_the_same_from_everywhere(self):
        page = self.open(self.path)
        expected = []
        for _ in range(7):
            expected.append(self.rows())
            page.key("ArrowRight")
        for step in reversed(range(7)):
            page.run(f"location.hash = '#step={step}'")
            page.wait_for(f"{STEP} === '{'start' if step == 0 else f'step {step}'}'")
            page.settle()
            self.assertEqual(self.rows(), expected[step])

    def test_automata(self):
        page = self.open(self.path + "#step=4")
        page.choose("Which automata", "all processes")
        cards = page.run("""[...document.querySelectorAll('.card')].map((card) => [
            card.querySelector('b').textContent, card.querySelector('.where').textContent,
            card.querySelector('.node.here .name').textContent, card.querySelectorAll('.edge.fired').length])""")
        self.assertEqual(cards, [["P(1)", "req", "req", 0], ["P(2)", "cs", "cs", 1], ["P(3)", "idle", "idle", 0],
                                 ["P(4)", "idle", "idle", 0]])
        # The drawing has every location and edge, and its boxes do not cover each other.
        boxes = page.run("""[...document.querySelectorAll('.card:first-child .node > rect:not(.ring)')].map((rect) => {
            const box = rect.getBBox(); return [box.x, box.y, box.x + box.width, box.y + box.height]; })""")
        self.assertEqual(len(boxes), 4)
        for i, a in enumerate(boxes):
            for b in boxes[:i]:
                self.assertTrue(a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b))
        page.click(".card:nth-child(2) .card-head")
        self.assertEqual(page.count(".card"), 1)

    def test_source(self):
        page = self.open(self.path + "#step=4")
        page.press("[role=tab]", "Source")
        fired = page.texts(".line.fired .text")
        self.assertEqual(len(fired), 1)
        self.assertIn("wait -> cs", fired[0])
        self.assertEqual(page.text(".line.fired .times"), "2×")

    def test_plots(self):
        page = self.open(self.path + "#step=4")
        page.press("[role=tab]", "Plots")
        names = "[...document.querySelectorAll('.track-name')].map((name) => name.textContent)"
        self.assertEqual(page.run(names), ["id"])
        page.run("document.querySelector('[aria-label=\"Plot P(1).x\"]').click()")
        page.run("document.querySelector('[aria-label=\"Plot P(2)\"]').click()")
        page.settle()
        self.assertEqual(page.run(names), ["id", "P(1).x", "P(2)"])
        self.assertEqual(page.texts(".band text"),
                         ["idle", "req", "wait", "cs"])
        page.press(".segmented button", "time")
        self.assertEqual(page.count(".curve"), 2)
        page.run("document.querySelector('[aria-label=\"Remove the plot of id\"]').click()")
        page.settle()
        self.assertEqual(page.run(names), ["P(1).x", "P(2)"])

    def test_filter_and_search(self):
        page = self.open(self.path)
        page.key("/")
        self.assertEqual(page.run("document.activeElement.type"), "search")
        page.type("wait")
        self.assertEqual(page.run(LISTED_COUNT), "4 of 7 entries")
        page.key("Enter")
        self.assertEqual(page.run(STEP), "step 3")
        page.key("Enter")
        self.assertEqual(page.run(STEP), "step 4")
        page.key("Escape")
        self.assertEqual(page.run(LISTED_COUNT), "6 steps")
        page.choose("Only steps of a process", "P(1)")
        self.assertEqual(page.run(LISTED), ["P(1): idle → req", "P(1): req → wait", "P(1): wait → cs"])
        page.choose("Only steps that change a variable", "id")
        self.assertEqual(page.run(LISTED), ["P(1): req → wait"])

    def test_lanes(self):
        page = self.open(self.path)
        page.run("document.querySelector('.lanes-drawing').dispatchEvent(new MouseEvent('click', {clientY: "
                 "document.querySelector('.lanes-drawing').getBoundingClientRect().top + 34 + 2.5 * 44}))")
        page.settle()
        self.assertEqual(page.run(STEP), "step 2")
        self.assertEqual(page.texts(".lane-name text"),
                         ["P(1)", "P(2)"])

    def test_theme(self):
        page = self.open(self.path, dark=True)
        colour = "getComputedStyle(document.body).backgroundColor"
        dark = page.run(colour)
        page.key("t")
        self.assertEqual(page.run("document.documentElement.dataset.theme"), "light")
        light = page.run(colour)
        self.assertNotEqual(dark, light)
        page.key("t")
        self.assertEqual(page.run(colour), dark)
        page.key("t")
        self.assertEqual(page.run("document.documentElement.dataset.theme"), "auto")

    def test_printing(self):
        page = self.open(self.path)
        page.run("window.dispatchEvent(new Event('beforeprint'))")
        page.send("Emulation.setEmulatedMedia", media="print")
        page.settle()
        self.assertEqual(page.count(".printed tbody tr"), 7)
        self.assertEqual(page.run("getComputedStyle(document.querySelector('.panes')).display"), "none")
        self.assertIn("P(2): wait → cs", page.run("document.querySelector('.printed').innerText"))
        page.run("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(page.count(".printed"), 0)

    def test_roles(self):
        page = self.open(self.path + "#step=2")
        self.assertEqual(page.run("document.querySelector('[role=option][aria-selected=true]').id"), "step-2")
        active = page.run("document.querySelector('[role=listbox]').getAttribute('aria-activedescendant')")
        self.assertEqual(active, "step-2")
        unnamed = page.run("[...document.querySelectorAll('button, input, select')].filter((e) => "
                           "!(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label'))).length")
        self.assertEqual(unnamed, 0)

    def test_narrow(self):
        page = self.open(self.path, width=420)
        self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 420)

    def test_show(self):
        """`harrier show` makes the same page of a trace that was kept."""
        model = str(SOURCES / "models/fischer-faulty.xta")
        trace = str(FOLDER / "fischer.json")
        kept = str(FOLDER / "kept.html")
        subprocess.run([HARRIER, "check", model, "--trace", trace, "--quiet"], capture_output=True)
        subprocess.run([HARRIER, "show", model, trace, "--html", kept], check=True)
        one, other = data_of(self.path), data_of(kept)
        # A page that a search has made tells of the search; the query has come from another file.
        for data in (one, other):
            self.assertTrue(data.pop("facts"))
            data["files"] = data["files"][:1]
        self.assertEqual(one, other)
        page = self.open(kept + "#step=6")
        self.assertEqual(page.run(STEP), "step 6")


class LanguagesTest(PageTest):
    def test_coordinates(self):
        path = make("train", str(SOURCES / "models/train-gate.xml"), "--select", "2")
        page = self.open(path + "#step=4")
        self.assertEqual(page.texts(".card b"), ["Gate", "Train(1)"])
        circles = page.run("""[...document.querySelectorAll('.card:nth-child(2) .node circle:not(.ring)')]
            .map((circle) => [circle.cx.baseVal.value, circle.cy.baseVal.value])""")
        xml = (SOURCES / "models/train-gate.xml").read_text()
        drawn = re.findall(r'<location id="\w+" x="(-?\d+)" y="(-?\d+)"', xml)[:5]
        self.assertEqual(circles, [[int(x), int(y)] for x, y in drawn])
        self.assertIn("stop[1]?", page.text(".card:nth-child(2) .edge.fired"))
        self.assertEqual(page.texts(".message.sync text")[:3],
                         ["approach[0]", "approach[1]", "stop[1]"])

    def test_messages(self):
        page = self.open(make("messages", write("messages.pml", models.MESSAGES)))
        names = page.texts(".lane-name text")
        self.assertEqual(set(names), {"client(0)", "server(1)", "line", "back"})
        sent = page.texts(".message.sent text")
        self.assertIn("ask(3)", sent)
        taken = page.texts(".message.taken text")
        self.assertIn("ask(3)  (of 1)", taken)
        page.key("ArrowRight")
        self.assertEqual(self.rows()["line"], "⟨ask(3)⟩")
        page.key("End")
        self.assertEqual(page.text(".verdict"), "violated")

    def test_cycle(self):
        page = self.open(make("cycle", write("cycle.pml", models.CYCLE)))
        data = data_of(FOLDER / "cycle.html")
        loop, length = data["loop"], len(data["steps"])
        self.assertIn(f"a cycle of {length - loop} from step {loop + 1} on", page.text(".facts summary"))
        self.assertEqual(page.count(".cycle-mark"), 1)
        self.assertEqual(page.count(".lanes-drawing .cycle"), 1)
        self.assertEqual(page.count(".row.step .tag"), 1)
        page.key("End")
        self.assertEqual(page.run(STEP), f"step {length}")
        last = self.rows()
        # On from the end: round again, from where the cycle starts.
        page.key("ArrowRight")
        self.assertEqual(page.run(STEP), f"step {loop + 1}")
        page.key("ArrowLeft")
        self.assertEqual(self.rows(), last)

    def test_smv(self):
        page = self.open(make("light", write("light.smv", models.SMV)) + "#step=3")
        self.assertEqual(page.texts("[role=tab]"), ["Timeline", "Source"])
        self.assertEqual(self.rows()["light"], "red")
        self.assertEqual(page.count(".track"), 3)
        self.assertIn("VAR light", page.text(".line.fired .text"))

    def test_plan(self):
        domain, problem = write("move-domain.pddl", models.DOMAIN), write("move.pddl", models.PROBLEM)
        page = self.open(make("plan", domain, problem) + "#step=2")
        self.assertEqual(page.text(".verdict"), "goal reached")
        self.assertEqual(page.run(LISTED), ["Initial state", "(go a b)", "(go b c)"])
        self.assertEqual(page.run("document.querySelector('.line.fired .text').textContent.trim()"), "(:action go")

    def test_failure(self):
        path = make("failure", write("failure.xta", "int a[2]; int n = 0; process P() { state s; init s; "
                                                    "trans s -> s { assign n := n + 1, a[n] := 1; }; } system P;"),
                    "--query", "E<> n == 9", code=2)
        page = self.open(path + "#step=end")
        self.assertEqual(page.run(STEP), "end")
        self.assertEqual(page.text(".verdict"), "the model fails")
        self.assertEqual(page.count(".card.fails .edge.fired"), 1)


class HostileTest(PageTest):
    BAD = "</script><img src=x onerror=\"window.hacked=1\"><!--\u2028<script>window.hacked=1</script>"

    def check(self):
        page = self.page
        page.key("ArrowRight", times=3)
        for name in page.texts("[role=tab]"):
            page.press("[role=tab]", name)
        page.run("document.querySelector('details').open = true")
        page.run("window.dispatchEvent(new Event('beforeprint'))")
        page.settle()
        self.assertIsNone(page.run("window.hacked ?? null"))
        self.assertEqual(page.count("img, iframe, object, embed, a, link"), 0)
        self.assertEqual(page.run("document.scripts.length"), 2)

    def test_texts_of_a_model(self):
        path = make("hostile", write("<img src=x onerror=alert(1)>.pml", models.HOSTILE))
        text = pathlib.Path(path).read_text(encoding="utf-8")
        self.assertEqual(text.count("</script>"), 2)
        self.assertEqual(text.count("<script"), 2)
        page = self.open(path)
        self.assertIn("onerror", page.text(".model"))
        self.check()
        self.assertIn(models.HOSTILE.split("\n")[0], page.texts(".line .text"))

    def test_names_everywhere(self):
        """Languages keep most names harmless; here every text of the data is hostile."""
        path = make("names", write("names.pml", models.MESSAGES))
        words = {"name", "text", "label", "guard", "update", "sync", "channel", "from", "to", "reason", "invariant"}

        def spoil(value, key=None):
            if isinstance(value, dict):
                return {k: spoil(v, k) for k, v in value.items()}
            if isinstance(value, list):
                return [spoil(v, "text" if isinstance(v, str) else key) for v in value]
            return self.BAD + value if isinstance(value, str) and key in words else value

        data = spoil(data_of(path))
        head, _, rest = pathlib.Path(path).read_text(encoding="utf-8").partition('id="data">')
        page = self.open(write("names.html", head + 'id="data">' + escaped(data) + rest[rest.index("</script>"):]))
        self.assertEqual(page.text(".property code"), data["property"]["text"])
        self.assertTrue(page.run("document.title").startswith("</script>"))
        self.check()

    def test_policy(self):
        """What is not the page's own does not run, and nothing is fetched."""
        page = self.open(make("policy", str(SOURCES / "models/fischer-faulty.xta")))
        page.run("""{ const script = document.createElement('script'); script.textContent = 'window.hacked = 3';
            document.body.append(script); const image = new Image(); image.src = 'https://example.invalid/x.png';
            document.body.append(image); }""")
        page.settle()
        self.assertIsNone(page.run("window.hacked ?? null"))
        self.assertEqual((page.requests, page.blocked), ([], ["https://example.invalid/x.png"]))
        self.assertGreaterEqual(len(page.problems), 2)  # the browser tells what it has refused
        page.problems.clear()


class LargeTest(PageTest):
    MEASURE = """(async () => {
        const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        const times = [];
        for (let i = 0; i < 60; ++i) {
            const start = performance.now();
            document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
            await frame();
            times.push(performance.now() - start);
        }
        const start = performance.now();
        document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'End', bubbles: true}));
        await frame();
        times.sort((a, b) => a - b);
        const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
        const end = performance.now() - start;
        return {paint, median: times[30], most: times[59], end, elements: document.querySelectorAll('*').length};
    })()"""

    # Seconds that the page has worked, whatever else the machine does.
    def processor_time(self):
        metrics = self.page.send("Performance.getMetrics")["metrics"]
        return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")

    def measure(self, name, path):
        self.page.send("Performance.enable", timeDomain="threadTicks")
        before = self.processor_time()
        result = self.page.run(self.MEASURE)
        each = (self.processor_time() - before) / 61 * 1000
        size = pathlib.Path(path).stat().st_size / 1e6
        print(f"{name}: {size:.1f} MB, first paint after {result['paint']:.0f} ms, "
              f"a step takes {result['median']:.0f} ms (at most {result['most']:.0f}), "
              f"{each:.0f} ms of them of the processor, "
              f"to the end {result['end']:.0f} ms, {result['elements']} elements")
        return result

    def test_ten_thousand_steps(self):
        path = make("long", write("long.xta", models.PING_PONG.format(rounds=5000)), "--query", "E<> n == N",
                    "--search", "dfs", "--no-polish")
        self.assertEqual(len(data_of(path)["steps"]), 10000)
        page = self.open(path)
        result = self.measure("10,000 steps", path)
        self.assertLess(result["elements"], 3000)
        self.assertEqual(page.run(STEP), "step 10000")
        self.assertEqual(self.rows()["n"], "5000")
        page.run("location.hash = '#step=5001'")
        page.wait_for(f"{STEP} === 'step 5001'")
        page.settle()
        self.assertEqual(self.rows()["n"], "2500")
        page.key("/")
        page.type("n = 1234")
        self.assertEqual(page.run(LISTED_COUNT), "1 of 10001 entries")
        page.key("Enter")
        self.assertEqual(page.run(STEP), "step 2468")
        page.press("[role=tab]", "Plots")
        self.assertLess(page.run("document.querySelector('.curve').getAttribute('d').length"), 100000)

    def test_five_hundred_processes(self):
        path = make("wide", write("wide.xta", models.CROWD.format(processes=500)), "--query", "E<> next == N",
                    "--search", "dfs", "--no-polish")
        page = self.open(path)
        result = self.measure("500 processes", path)
        self.assertLess(result["elements"], 4000)
        self.assertEqual(page.run(STEP), "step 500")
        self.assertEqual(self.rows(".row.entry.changed")["Guest(499)"], "inside")
        self.assertIn("Guest(499)", page.texts(".lane-name.active text"))
        page.choose("Which automata", "the first 60")
        self.assertEqual(page.count(".card"), 60)


def main():
    global HARRIER, BROWSER, FOLDER
    parser = argparse.ArgumentParser()
    parser.add_argument("--harrier", required=True)
    arguments, rest = parser.parse_known_args()
    HARRIER = str(pathlib.Path(arguments.harrier).resolve())
    if browser.program() is None:
        print("no Chromium: the page is not tested")
        return 77
    with tempfile.TemporaryDirectory(prefix="harrier-page-") as folder, browser.Browser() as BROWSER:
        FOLDER = pathlib.Path(folder)
        result = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2).result
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
