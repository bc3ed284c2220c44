"""Whether a studio's day was as it must be: what the programs held, every photo, its history, and what people were told."""
import itertools, statistics

from . import soak_plot, studio

# Lines are judged from this hour of the day on: the service was last started at studio.RESTARTED, and a connection of
# SQLite's, a buffer or an arena of the allocator's fills until everything has happened once.
JUDGED_FROM = 10
# What a line may grow from there to the end of the day, in its unit. Memory: what 1,500 photos may add in EnduranceTests;
# libgphoto2 keeps under 1 KB of each object on a worker's card. Handles and threads: what comes and goes with a request.
GROWTH_MAX = {
    "service_rss_kib": 6_000, "service_pss_kib": 6_000, "worker_rss_kib": 3_000, "worker_pss_kib": 3_000,
    "service_handles": 4, "worker_handles": 1, "service_threads": 4, "worker_threads": 1,
    "wal_bytes": 2 << 20, "photos_bytes": 16 << 20,
}
# A photo's row, its upload, and every step of both with its time: twice what was measured.
LEDGER_BYTES_A_PHOTO_MAX = 3_000
# A line is called flat when it grows by less than this part of itself.
FLAT = 0.02


class Verdict:
    """`table`: a line for everything that was watched. `said`: what else held. `wrong`: a sentence for each that did not."""

    def __init__(self, rows):
        self.rows, self.judged = rows, [row for row in rows if row["hour"] >= JUDGED_FROM]
        self.table, self.said, self.wrong = [], [], []
        self.lost = self.doubled = 0

    def hold_lines(self):
        """What the programs hold stays within its bounds, and they live."""
        for name, most in GROWTH_MAX.items():
            points = [(row["hour"], row[name]) for row in self.judged if row[name] is not None]
            values = [value for _, value in points]
            growth = slope(points) * (studio.HOURS - JUDGED_FROM)
            is_within = growth <= most
            self.table.append([
                soak_plot.title(name), soak_plot.show(name, statistics.median(values)), soak_plot.show(name, max(values)),
                soak_plot.show(name, growth), soak_plot.show(name, most),
                "grows" if not is_within else "flat" if growth <= FLAT * statistics.median(values)
                else "grows, within its bound"])
            if not is_within:
                self.wrong.append(
                    f"{soak_plot.title(name)} grows by {soak_plot.show(name, growth)} from hour {JUDGED_FROM} of the"
                    f" day on: more than {soak_plot.show(name, most)}")
        each = self.rows[-1]["ledger_bytes"] / max(1, self.rows[-1]["saved"])
        self.table.append(
            ["ledger, a photo", f"{each:.0f} bytes", "", "", f"{LEDGER_BYTES_A_PHOTO_MAX} bytes", "with the photos"])
        if each > LEDGER_BYTES_A_PHOTO_MAX:
            self.wrong.append(f"the ledger takes {each:.0f} bytes a photo: more than {LEDGER_BYTES_A_PHOTO_MAX}")
        lives = {row["service"] for row in self.judged}
        if len(lives) != 1:
            self.wrong.append(f"the service ended by itself: {len(lives)} processes of it after hour {JUDGED_FROM} of the day")

    def hold_photos(self, taken, stored):
        """Every photo that was taken is on the server, once."""
        self.lost = len(set(taken) - set(stored))
        self.doubled = max(len(stored) - len(set(stored)), self.rows[-1]["doubled"])
        if self.lost:
            self.wrong.append(f"{self.lost} of {len(taken)} photos are not on the server")
        if self.doubled:
            self.wrong.append(f"{self.doubled} photos were delivered twice")
        if foreign := set(stored) - set(taken):
            self.wrong.append(f"{len(foreign)} files on the server are no photo that was taken")

    def hold_history(self, logged, told):
        """A photo's history tells every try that the server's own log has, in order."""
        missing = untold(logged, told)
        answers = [status for statuses in logged.values() for status in statuses]
        self.said.append(
            f"The server's log has {len(answers)} tries of {len(logged)} photos, {sum(status >= 300 for status in answers)} of"
            f" them refused; the history tells {sum(map(len, told.values()))}, and lacks those of {len(missing)} photos.")
        if missing:
            self.wrong.append(f"the history does not tell what the server's log has of {missing[0]}: {logged[missing[0]]},"
                              f" {told[missing[0]]}")

    def hold_notices(self, told, outages):
        """Each outage that the service knew of was told once, and its end once."""
        once = sum(events == ["begun", "ended"] for events in told)
        self.said.append(f"The service knew of {outages} outages; {len(told)} were told, {once} once and their end once.")
        if once != outages or len(told) != outages:
            self.wrong.append(f"of {outages} outages people were told {told}")


def slope(points):
    """Median of the slopes between all pairs of points (Theil and Sen): a peak here and there does not tilt it."""
    slopes = [(y2 - y1) / (x2 - x1) for (x1, y1), (x2, y2) in itertools.combinations(points, 2) if x2 > x1]
    return statistics.median(slopes or [0])


def untold(logged, told):
    """Names of photos of which the server's log has a try that the history does not tell in its place."""
    def is_told(name):
        # A try that ended with the service is "queued" again; one whose photo the server took is "retrying" when the server
        # went before it was asked for proof. Between those that it answered may be tries that did not reach it.
        steps = iter(told[name])
        return told[name][-1:] == ["delivered"] and all(
            any(step in ("retrying", "queued") or (status < 300 and step == "delivered") for step in steps)
            for status in logged[name])

    return sorted(name for name in logged if not is_told(name))
