"""Drives headless Chromium over the DevTools protocol, through a pipe: no port, no WebSocket, nothing but Python.

    with Browser() as browser:
        page = browser.open("/tmp/trace.html#step=3", width=1400, height=900)
        page.key("ArrowRight")
        assert page.run("document.title") == "…"

The browser runs without network; a page notes every request that it makes and everything on its console.
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

TIMEOUT = 120  # seconds that an answer may take before the browser is taken for dead


def program():
    """The path of Chromium; None: there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    return None


class Browser:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="harrier-browser-")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        # As user root in a container there is no sandbox.
        # The protocol is on the descriptors 3 and 4, which is for the shell to arrange.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec 3<&{to_browser} 4>&{from_browser}; exec "$@"', "sh", program(), "--headless=new",
             "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--force-color-profile=srgb",
             "--disable-lcd-text",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._number = 0
        self._pages = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            self.send("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self._read)
        os.close(self._write)
        shutil.rmtree(self.folder.name, ignore_errors=True)

    def _receive(self):
        while b"\0" not in self._buffer:
            if not select.select([self._read], [], [], TIMEOUT)[0]:
                raise RuntimeError("the browser does not answer")
            chunk = os.read(self._read, 1 << 20)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self._buffer += chunk
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, session=None, **parameters):
        """Sends a command and waits for its answer; events meanwhile go to their pages."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data):]
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if page := self._pages.get(answer.get("sessionId")):
                page.event(answer["method"], answer["params"])

    def open(self, url, width=1440, height=900, dark=False):
        """Opens a file, possibly with a fragment, and waits until it has been loaded."""
        if url.startswith("/"):
            path, _, fragment = url.partition("#")
            url = pathlib.Path(path).as_uri() + (f"#{fragment}" if fragment else "")
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        self._pages[session] = page
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.send(f"{domain}.enable")
        page.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        page.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        page.go(url)
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser = browser
        self.session = session
        self.target = target
        self.requests = []  # addresses, without that of the page itself and those that its policy blocks
        self.blocked = []
        self._urls = {}
        self.problems = []  # of the console, and exceptions
        self.loaded = False
        self.address = None

    def event(self, method, parameters):
        if method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if url.split("#")[0] != self.address:
                self.requests.append(url)
            self._urls[parameters["requestId"]] = url
        elif method == "Network.loadingFailed" and parameters.get("blockedReason") == "csp":
            # Blocked by the policy of the page itself, before anything left the browser.
            url = self._urls[parameters["requestId"]]
            self.requests.remove(url)
            self.blocked.append(url)
        elif method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.problems.append(str([argument.get("value") for argument in parameters["args"]]))
        elif method == "Log.entryAdded":
            self.problems.append(parameters["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.problems.append("a dialog: " + parameters["message"])

    def send(self, method, **parameters):
        return self.browser.send(method, session=self.session, **parameters)

    def go(self, url):
        self.loaded = False
        self.address = url.split("#")[0]
        self.send("Page.navigate", url=url)
        while not self.loaded:
            self.run("0")
        self.settle()

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)

    def run(self, expression):
        """The value of an expression in the page, which may be a promise."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def text(self, selector):
        """The text of the first element that fits."""
        return self.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def texts(self, selector):
        return self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map((element) => element.textContent)")

    def count(self, selector):
        return self.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def press(self, selector, text):
        """Presses the first element that fits and has this text."""
        self.run(f"""[...document.querySelectorAll({json.dumps(selector)})]
            .find((element) => element.textContent === {json.dumps(text)}).click()""")
        self.settle()

    def choose(self, label, option):
        """Chooses from the list with this label."""
        self.run(f"""{{ const list = document.querySelector('select[aria-label={json.dumps(label)}]');
            list.value = [...list.options].find((option) => option.textContent === {json.dumps(option)}).value;
            list.dispatchEvent(new Event('change')); }}""")
        self.settle()

    def settle(self):
        """Waits until what was asked for has been drawn."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def wait_for(self, expression):
        """Waits until an expression is true."""
        end = time.monotonic() + TIMEOUT
        while not self.run(expression):
            if time.monotonic() > end:
                raise RuntimeError(f"it does not become true: {expression}")
            time.sleep(0.02)

    def key(self, key, times=1):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        for _ in range(times):
            self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
            self.send("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def type(self, text):
        self.send("Input.insertText", text=text)
        self.settle()

    def click(self, selector):
        """Presses the mouse in the middle of the first element that fits."""
        x, y = self.run(f"""(() => {{
            const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def screenshot(self, path):
        data = base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
        pathlib.Path(path).write_bytes(data)
