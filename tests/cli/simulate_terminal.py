#!/usr/bin/env python3
"""Drives `harrier simulate` through a pseudo-terminal, as somebody at a keyboard does, and validates what is saved.

    simulate_terminal.py HARRIER MODELS
"""
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import unittest

HARRIER = ""
MODELS = pathlib.Path()
BOLD = "\x1b[1m"


class Terminal:
    """A program at a terminal of its own."""

    def __init__(self, arguments, environment=None):
        self.output = ""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ.pop("NO_COLOR", None)
            os.environ.update({"TERM": "xterm"} | (environment or {}))
            os.execv(arguments[0], arguments)

    def read(self):
        """More of what it writes; False at the end."""
        ready, _, _ = select.select([self.file], [], [], 120)
        if not ready:
            raise AssertionError("nothing comes any more; so far:\n" + self.output)
        try:
            data = os.read(self.file, 65536)
        except OSError:  # how Linux tells that the other end is closed
            return False
        self.output += data.decode()
        return bool(data)

    def until(self, pattern):
        """What is written up to the pattern, which is taken away."""
        while not (match := re.search(pattern, self.output)):
            if not self.read():
                raise AssertionError(f"no {pattern!r} in:\n{self.output}")
        text = self.output[:match.end()]
        self.output = self.output[match.end():]
        return text

    def say(self, line):
        """The answer to a line, up to the next prompt."""
        os.write(self.file, (line + "\n").encode())
        self.until(re.escape(line) + r"\r\n")
        return self.until(r"(?m)^\d*> $")

    def end(self):
        while self.read():
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self.file)
        return os.waitstatus_to_exitcode(status)


class SimulateTerminal(unittest.TestCase):
    def start(self, model, *arguments, **environment):
        terminal = Terminal([HARRIER, "simulate", str(MODELS / model), *arguments], environment)
        first = terminal.until(r"(?m)^\d*> $")
        return terminal, first

    def validated(self, model, trace):
        run = subprocess.run([HARRIER, "validate", str(MODELS / model), trace], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    def test_a_session(self):
        terminal, first = self.start("fischer-faulty.xta")
        self.assertIn("step 0", first)
        self.assertIn("   1  P(1): idle -> req", first)
        with tempfile.TemporaryDirectory() as directory:
            trace = directory + "/t.json"
            answer = terminal.say("1")
            self.assertIn(BOLD + "P(1).req", answer)
            self.assertIn("P(2).idle", answer)
            self.assertNotIn(BOLD + "P(2).idle", answer)
            self.assertIn("step 2", terminal.say("take 1"))
            self.assertIn("waited 11", terminal.say("wait 11"))
            self.assertIn("cannot write", terminal.say("save " + directory + "/none/t.json"))
            self.assertIn("error: unknown command 'sve'; did you mean 'save'?", terminal.say("sve"))
            self.assertIn("P(1).cs", terminal.say("1"))
            self.assertIn("step 2", terminal.say("undo"))
            self.assertIn("step 3", terminal.say("redo"))
            self.assertIn("3 steps to", terminal.say("save " + trace))
            self.assertIn("valid: a run of the model, in 3 steps", self.validated("fischer-faulty.xta", trace))
            self.assertIn("step 1", terminal.say(f"load {trace} 1"))
            self.assertIn("violates", terminal.say("run until P(1).cs && P(2).cs"))
            self.assertIn("to " + trace, terminal.say(f"save {trace} 1"))
            self.assertIn("valid: the property is violated", self.validated("fischer-faulty.xta", trace))
        os.write(terminal.file, b"quit\n")
        self.assertEqual(terminal.end(), 0)

    def test_interrupts(self):
        terminal, _ = self.start("fischer-faulty.xta")
        os.write(terminal.file, b"run 1000000000000 until id == 9\n")
        terminal.until(r"id == 9\r\n")
        os.write(terminal.file, b"\x03")
        self.assertIn("interrupted", terminal.until(r"(?m)^\d+> $"))
        for _ in range(3):  # at the prompt: nothing but a new line
            os.write(terminal.file, b"unfinished\x03")
            terminal.until(r"(?m)^\d+> $")
        self.assertIn("step 0", terminal.say("go 0"))
        os.write(terminal.file, b"\x04")  # the end of input
        self.assertEqual(terminal.end(), 0)

    def test_is_ended_by_a_signal(self):
        terminal, _ = self.start("fischer-faulty.xta")
        os.kill(terminal.pid, signal.SIGTERM)
        self.assertEqual(terminal.end(), -signal.SIGTERM)

    def test_no_colours(self):
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            terminal, _ = self.start("peterson.pml", **environment)
            answer = terminal.say("1")
            self.assertNotIn("\x1b", answer)
            self.assertIn("*", answer)
            os.write(terminal.file, b"\x04")
            self.assertEqual(terminal.end(), 0)

    def test_every_language(self):
        with tempfile.TemporaryDirectory() as directory:
            smv = pathlib.Path(directory, "m.smv")
            smv.write_text("MODULE main VAR x : 0..3; b : boolean; ASSIGN next(x) := x + (x < 3 ? 1 : -3);\n")
            for model, condition in (("mutex-faulty.pml", "inside == 1"), ("parcels.pddl", "(at van mill)"),
                                     ("train-gate.xml", "Train(1).Cross"), (str(smv), "x = 3 & b")):
                terminal, first = self.start(model)
                if model == str(smv):
                    self.assertIn("take an initial state", first)
                    self.assertIn("step 0", terminal.say("1"))
                answer = terminal.say("run until " + condition)
                self.assertIn("step ", answer)
                self.assertNotIn("not reached", answer)
                trace = directory + "/t.json"
                terminal.say("save " + trace)
                self.assertIn("valid: a run of the model", self.validated(model, trace))
                os.write(terminal.file, b"\x04")
                self.assertEqual(terminal.end(), 0)


if __name__ == "__main__":
    HARRIER, MODELS = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
