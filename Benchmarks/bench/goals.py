"""The goals of the parts of remote control and of the web page, with the figures of a run.

The functions read the figures that `scripts/bench --json` writes. A figure that is missing is a missed goal.
"""
import dataclasses

from .machine import median, percentile

LIVE_RATIO_MAX = 1.10
RATE = 15
# Live view sends no frames during the transfer of a photo.
FRAMES_PER_SECOND_LEAST = 0.9 * RATE
MEMORY_GROWTH_MAX = 1.05

LATE_MS_MAX = 150

TICK_LATE_MS_MAX = 10
TICK_GRID_MS_MAX = 10  # the range of the releases' deviations from their planned times

BULB_ERROR_MS_MAX = 20
CLOSED_WITHIN_MS = 1_000

PAGES_RATIO_LEAST = 0.95

SPREAD_MS_MAX = 5  # the spread of a shot, in 19 of 20 shots of a small group


@dataclasses.dataclass(frozen=True)
class Goal:
    part: str
    what: str
    value: float | None  # None if the run has no figure
    limit: float
    unit: str = ""
    is_least: bool = False

    @property
    def is_met(self):
        if self.value is None:
            return False
        return self.value >= self.limit if self.is_least else self.value <= self.limit

    def __str__(self):
        figure = "no figure" if self.value is None else f"{self.value:.5g}{self.unit}"
        return f"{self.part}: {self.what}: {figure} (goal: at {'least' if self.is_least else 'most'} {self.limit:g}{self.unit})"


def quotient(left, right):
    return left / right if left is not None and right else None


def middle(values):
    return median(values) if values else None


def tenths(values):
    """Returns the median of the first tenth and of the last tenth of a series. Both are `None` for an empty series."""
    count = max(1, len(values) // 10)
    return middle(values[:count]), middle(values[-count:])


def live(figures):
    for load, states in [*figures["turns"].items(), ("ten minutes", figures["lasting_ms"])]:
        with_it = middle(states["live view"])
        for state, times in states.items():
            if state != "live view":
                yield Goal("live", f"{load}, time from announced to saved, live view / {state}",
                           quotient(with_it, middle(times)), LIVE_RATIO_MAX, " times")
    yield Goal("live", "frames", figures["frames_per_second"], FRAMES_PER_SECOND_LEAST, " a second", is_least=True)
    for name, index in [("service", 0), ("worker", 1)]:
        first, last = tenths([sample[index] for sample in figures["memory_kib"]])
        yield Goal("live", f"the {name}'s memory, last tenth / first tenth", quotient(last, first), MEMORY_GROWTH_MAX, " times")


def sets(figures):
    with_sets, without = figures["with_sets_ms"], figures["without_ms"]
    late = percentile(with_sets, .99) - percentile(without, .99) if with_sets and without else None
    yield Goal("sets", "increase of p99 from announced to saved, caused by sets", late, LATE_MS_MAX, " ms")
    yield Goal("sets", "photos that were not saved during the sets", abs(figures["photos"] - len(with_sets)), 0)
    yield Goal("sets", "photos that are missing or saved twice, and other files in the folder",
               len(figures["wrong_photos"]), 0)
    yield Goal("sets", "wrong results", len(figures["wrong"]), 0)


def interval(figures):
    yield Goal("interval", "the largest delay of a release", figures["latest_ms"], TICK_LATE_MS_MAX, " ms")
    yield Goal("interval", "range of the releases' deviations from their planned times", figures["grid_ms"],
               TICK_GRID_MS_MAX, " ms")
    missed = sum(part["last"] - part["first"] + 1 for part in figures["missed"])
    yield Goal("interval", "photos that are neither shot nor listed as missed",
               abs(figures["count"] - figures["shot"] - missed), 0)
    yield Goal("interval", "refused photos", sum(part["last"] - part["first"] + 1 for part in figures["refused"]), 0)
    yield Goal("interval", "shots without a saved photo", abs(figures["shots"] - figures["saved"]), 0)


def bulb(figures):
    for maker, (plain, alone, after_kill, after_link) in figures.items():
        yield Goal("bulb", f"{maker}, error of the exposure", abs(plain), BULB_ERROR_MS_MAX, " ms")
        yield Goal("bulb", f"{maker}, error of the exposure with a killed service", abs(alone), BULB_ERROR_MS_MAX, " ms")
        yield Goal("bulb", f"{maker}, closed after a killed worker", after_kill, CLOSED_WITHIN_MS, " ms")
        yield Goal("bulb", f"{maker}, closed after the link was back", after_link, CLOSED_WITHIN_MS, " ms")


def group(figures):
    spreads = sorted(figures["cameras_spread_ms"])
    # The second widest of twenty spreads. `percentile` would return the widest spread.
    widest = spreads[-(-len(spreads) * 95 // 100) - 1] if spreads else None
    yield Goal("group", "spread of a shot, 95th percentile", widest, SPREAD_MS_MAX, " ms")
    yield Goal("group", "photos that are not saved", figures["expected"] - figures["photos"], 0)


def pages(figures):
    for link, rates in figures.items():
        yield Goal("pages", f"{link}, rate of a burst, with devices / without",
                   quotient(middle(rates["with_devices"]), middle(rates["without"])), PAGES_RATIO_LEAST, " times", is_least=True)


PARTS = {"live": live, "sets": sets, "interval": interval, "bulb": bulb, "group": group, "pages": pages}


def all_goals(results):
    """Returns the goals of the measured parts, in the order of the parts."""
    return [goal for part, figures in results.items() if part in PARTS for goal in PARTS[part](figures)]


def missed(results):
    """Returns the missed goals of the measured parts, in the order of the parts."""
    return [goal for goal in all_goals(results) if not goal.is_met]


def report(results):
    """Returns a text with a line for each goal of the measured parts."""
    found = all_goals(results)
    lines = [f"  {'met   ' if goal.is_met else 'MISSED'} {goal}" for goal in found]
    return "\n".join([f"{len(missed(results))} of {len(found)} goals missed:", *lines])
