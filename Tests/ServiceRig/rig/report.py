"""What a person sees: a line for each scenario, and what was wrong."""
import sys, time, traceback

COLOURS = {"pass": "32", "fail": "31", "skip": "33"}


class Report:
    def __init__(self):
        self.failures = 0
        self.figures = []

    def say(self, line):
        print(line, flush=True)

    def note(self, text):
        """A figure that belongs to the scenario that runs."""
        self.figures.append(text)

    def scenario(self, name, title, body):
        """Runs one and tells how it ended."""
        self.figures = []
        start = time.monotonic()
        try:
            body()
            word, reason = "pass", None
        except Skipped as skipped:
            word, reason = "skip", str(skipped)
        except Exception as failure:
            word, reason = "fail", f"{failure}" or type(failure).__name__
            if not isinstance(failure, AssertionError):
                reason += "\n" + "".join(traceback.format_tb(failure.__traceback__)[-2:]).rstrip()
            self.failures += 1
        seconds = time.monotonic() - start
        mark = f"\033[{COLOURS[word]}m{word}\033[0m" if sys.stdout.isatty() else word
        self.say(f"{mark}  {name:<16} {seconds:6.1f} s  {title}")
        for line in [*self.figures, *(reason.splitlines() if reason else [])]:
            self.say(f"        {line}")
        return word == "pass"


class Skipped(Exception):
    """A scenario that cannot run here, with its reason."""
