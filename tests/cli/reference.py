#!/usr/bin/env python3
"""Completions and man pages: what the shells make of them, and that they have all commands and options.

    reference.py HARRIER

A shell that is not installed is passed over, and said so.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HARRIER = ""


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def commands():
    text = run(HARRIER, "--help")
    return re.findall(r"^  ([a-z]+) ", text[text.index("Subcommands:"):], re.M)


def options(command):
    return set(re.findall(r"(?:^  |,)(--[a-z-]+)", run(HARRIER, command, "--help"), re.M))


class Reference(unittest.TestCase):
    def need(self, tool):
        if shutil.which(tool) is None:
            self.skipTest(f"there is no {tool}")

    def with_script(self, shell, work):
        with tempfile.NamedTemporaryFile("w", suffix=f".{shell}") as script:
            script.write(run(HARRIER, "completions", shell))
            script.flush()
            return work(script.name)

    def completed_by_bash(self, *words):
        """The words that stand for the last one."""
        def work(script):
            text = f'''source {script}
                compopt() {{ echo FILES; }}
                COMP_WORDS=(harrier "$@") COMP_CWORD=$#
                _harrier
                echo "${{COMPREPLY[@]}}"'''
            return run("bash", "-c", text, "bash", *words).split()
        return self.with_script("bash", work)

    def completed_by_fish(self, line):
        def work(script):
            home = {**os.environ, "HOME": os.path.dirname(script), "XDG_CONFIG_HOME": os.path.dirname(script)}
            out = run("fish", "--no-config", "-c", f"source {script}; complete -C 'harrier {line}'", env=home)
            return [answer.split("\t")[0] for answer in out.splitlines()]
        return self.with_script("fish", work)

    def test_bash(self):
        self.need("bash")
        self.assertEqual(set(self.completed_by_bash("")), set(commands()) | {"--help", "--version"})
        self.assertEqual(self.completed_by_bash("sim"), ["simulate"])
        self.assertEqual(self.completed_by_bash("check", "--search", "gr"), ["greedy"])
        self.assertEqual(self.completed_by_bash("check", "--heuristic", "lm"), ["lmcut", "lmcount"])
        self.assertEqual(self.completed_by_bash("check", "--comp"), ["--compact", "--compress"])
        self.assertEqual(self.completed_by_bash("check", "--trace", ""), ["FILES"])
        self.assertEqual(self.completed_by_bash("check", "--time-limit", ""), [])
        self.assertEqual(self.completed_by_bash("check", "model"), ["FILES"])
        self.assertEqual(self.completed_by_bash("generate", "han"), ["hanoi"])
        self.assertEqual(self.completed_by_bash("explain", "astar"), ["astar"])
        for command in commands():
            self.assertEqual(set(self.completed_by_bash(command, "--")), options(command), command)

    def test_fish(self):
        self.need("fish")
        self.assertEqual(self.completed_by_fish("sim"), ["simulate"])
        self.assertEqual(self.completed_by_fish("check --search gr"), ["greedy"])
        self.assertEqual(self.completed_by_fish("check --comp"), ["--compact", "--compress"])
        self.assertEqual(self.completed_by_fish("check --time-limit "), [])
        self.assertEqual(self.completed_by_fish("completions z"), ["zsh"])

    def test_zsh(self):
        self.need("zsh")
        self.with_script("zsh", lambda script: run("zsh", "-n", script))
        text = run(HARRIER, "completions", "zsh")
        self.assertTrue(text.startswith("#compdef harrier\n"))
        for command in commands():
            block = text[text.index(f"    {command})\n"):]
            block = block[:block.index(";;")]
            self.assertEqual(set(re.findall(r"'\*(--[a-z-]+)\[", block)), options(command), command)

    def test_man_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            run(HARRIER, "man", "--all", folder)
            self.assertEqual(set(os.listdir(folder)), {"harrier.1"} | {f"harrier-{c}.1" for c in commands()})
            for command in commands():
                with open(f"{folder}/harrier-{command}.1", encoding="ascii") as file:
                    page = file.read()
                self.assertEqual(page, run(HARRIER, "man", command))
                for option in options(command):
                    self.assertIn("\\fB" + option.replace("-", "\\-") + "\\fR", page)
                self.assertIn(".SH EXIT STATUS", page)
            with open(f"{folder}/harrier.1", encoding="ascii") as file:
                self.assertEqual(file.read(), run(HARRIER, "man"))
            self.need("groff")
            for name in os.listdir(folder):  # without warnings
                run("groff", "-man", "-Tutf8", "-ww", "-z", f"{folder}/{name}")
            text = run("groff", "-man", "-Tutf8", "-P-c", f"{folder}/harrier-check.1")
            self.assertIn("--search ORDER", re.sub(".\b", "", text))

    def test_refusals(self):
        for wrong, message in ((("completions", "bsh"), "did you mean 'bash'?"), (("man", "chek"), "did you mean 'check'?"),
                               (("man", "check", "--all", "x"), "excludes"), (("man", "--all", "/dev/null/x"), "cannot make")):
            done = subprocess.run([HARRIER, *wrong], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)

    def test_version(self):
        lines = run(HARRIER, "--version").splitlines()
        self.assertRegex(lines[0], r"^harrier \d+\.\d+\.\d+( \(commit [0-9a-f]{12}(, changed)?\))?$")
        self.assertRegex(lines[1], r"^libraries: Z3 4[\d.]+, BuDDy 2\.4, pugixml 1[\d.]+, fmt [\d.]+, CLI11 2[\d.]+, "
                                   r"nlohmann-json 3[\d.]+$")


if __name__ == "__main__":
    HARRIER = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
