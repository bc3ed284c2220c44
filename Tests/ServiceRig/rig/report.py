"""The output for the user: a line for each scenario, and the reasons of failures."""
import sys, time, traceback
from .results import FAIL, PASS, SKIP, Outcome

COLOURS = {PASS: "32", FAIL: "31", SKIP: "33"}


class Report:
    def __init__(self):
        self.figures = []

    def say(self, line):
        print(line, flush=True)

    def add_figure(self, text):
        """Adds a measurement or a remark to the current scenario."""
        self.figures.append(text)

    def scenario(self, step, title, body):
        """Runs one step, prints its outcome and returns it."""
        self.figures = []
        start = time.monotonic()
        try:
            body()
            word, reason = PASS, ""
        except Skipped as skipped:
            word, reason = SKIP, str(skipped)
        except Exception as failure:
            word, reason = FAIL, f"{failure}" or type(failure).__name__
            if not isinstance(failure, AssertionError):
                reason += "\n" + "".join(traceback.format_tb(failure.__traceback__)[-2:]).rstrip()
        outcome = Outcome(step.suite, step.run, step.scenario, word, round(time.monotonic() - start, 1), reason, tuple(self.figures))
        mark = f"\033[{COLOURS[word]}m{word}\033[0m" if sys.stdout.isatty() else word
        self.say(f"{mark}  {step.suite} {step.run}  {step.scenario:<18} {outcome.seconds:6.1f} s  {title}")
        for line in [*outcome.figures, *reason.splitlines()]:
            self.say(f"        {line}")
        return outcome


class Skipped(Exception):
    """The error of a scenario that cannot run here, with the reason."""
