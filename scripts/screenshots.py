#!/usr/bin/env python3
"""Makes the pictures of the page of traces that the documentation shows, of our own models.

    scripts/screenshots.py --harrier build/bin/harrier [--output docs/pictures]

Needs Chromium. Exit code 77: there is none.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "page"))

import browser  # noqa: E402  (it is beside the tests of the page)

STARVING = "[] (user[0]@cs -> <> user[1]@cs)"
# Name, arguments of `harrier check`, step, tabs to be opened, dark, height.
PICTURES = [
    ("page-fischer", ["models/fischer-faulty.xta"], 5, [], False, 750),
    ("page-train-gate", ["models/train-gate.xml", "--select", "2"], 4, [], False, 720),
    ("page-messages", ["models/leader.pml", "--goal", "leaders == 1"], 9, ["Source"], False, 750),
    ("page-cycle", ["models/peterson.pml", "--define", "N=2", "--ltl", STARVING, "--select", "1"],
     17, [], True, 750),
    ("page-plan", ["models/parcels-domain.pddl", "models/parcels.pddl"], 4, ["Source"], False, 600),
]
WIDTH = 1240


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--harrier", required=True)
    parser.add_argument("--output", default=str(ROOT / "docs" / "pictures"))
    arguments = parser.parse_args()
    if browser.program() is None:
        print("no Chromium: there are no pictures")
        return 77
    output = pathlib.Path(arguments.output)
    output.mkdir(parents=True, exist_ok=True)
    harrier = pathlib.Path(arguments.harrier).resolve()
    with tempfile.TemporaryDirectory(prefix="harrier-pictures-") as folder, browser.Browser() as chromium:
        for name, check, step, tabs, dark, height in PICTURES:
            html = f"{folder}/{name}.html"
            run = subprocess.run([harrier, "check", *check, "--quiet", "--html", html], cwd=ROOT, capture_output=True,
                                 text=True)
            if run.returncode not in (0, 10):
                print(f"{name}: exit code {run.returncode}: {run.stderr}")
                return 1
            page = chromium.open(f"{html}#step={step}", width=WIDTH, height=height, dark=dark)
            for tab in tabs:
                page.press("[role=tab]", tab)
            page.wait_for("document.fonts.status === 'loaded'")
            page.settle()
            picture = output / f"{name}.png"
            page.screenshot(picture)
            if page.problems or page.requests:
                print(f"{name}: {page.problems} {page.requests}")
                return 1
            print(f"{picture.name}: {picture.stat().st_size / 1000:.0f} kB")
            page.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
