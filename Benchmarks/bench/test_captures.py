"""Tests of the loads and the tables of captures. The tests start no program."""
import contextlib, io, unittest

from . import captures, links

SECONDS = {"framefastd": 2, "raw": 1, "raw pieces": 2.5, "gphoto2": 4}


def runs(*tools):
    """Returns two equal measurements of each program."""
    return {tool: [{"seconds": SECONDS[tool], "cpu": SECONDS[tool] / 10, "requests": SECONDS[tool]}] * 2 for tool in tools}


def printed(show, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as output:
        show(*arguments)
    return output.getvalue()


class Program:
    """A camera and the service that saves its photos, in one object."""

    def __init__(self):
        self.bursts = []

    def shoot(self, photos):
        self.bursts.append(photos)
        return True

    def saved(self):
        return sum(self.bursts)

    def requests(self):
        return 3 * sum(self.bursts)

    def cpu_seconds(self):
        return sum(self.bursts)

    def last_saved(self):
        return 0


class BurstTests(unittest.TestCase):
    def burst(self, **options):
        bench = captures.Bench.__new__(captures.Bench)
        bench.camera = bench.daemon = program = Program()
        bench.load = captures.Load("x", 20, "8MB", 8_000_000, **options)
        return bench.framefastd(), program.bursts

    def test_the_photo_before_a_burst_is_not_counted(self):
        figures, bursts = self.burst(has_warm_up=True)
        self.assertEqual(bursts, [1, 20])
        self.assertEqual((figures["requests"], figures["cpu"]), (3, 20))

    def test_other_parts_have_no_photo_before_a_burst(self):
        self.assertEqual(self.burst()[1], [20])


class LoadTests(unittest.TestCase):
    def test_names_the_rate_and_the_round_trip_of_the_link(self):
        load = captures.Load("x", 3, "8MB", 8_000_000)
        self.assertEqual(load.words, "3 x 8 MB, loopback")
        self.assertEqual(captures.Load("x", 3, "200KB", 200_000, (), 5).words, "3 x 200 KB, 5 ms")
        self.assertEqual(captures.Load("x", 3, "8MB", 8_000_000, (), 0.25, "400MB").words, "3 x 8 MB, 400 MB/s 0.25 ms")

    def test_only_a_limited_link_gives_the_simulator_a_rate(self):
        load = captures.Load("x", 3, "60MB", 60_000_000, ("--raw-only",))
        self.assertEqual(load.simulator_options("canon"), ["--maker", "canon", "--size", "60MB", "--raw-only"])
        self.assertIn("--rate", captures.Load("x", 3, "8MB", 8_000_000, (), 4, "100MB").simulator_options("sony"))


class LinkTests(unittest.TestCase):
    def test_each_link_has_each_size(self):
        self.assertEqual({(load.rate, load.round_trip_ms, load.size) for load in links.LOADS}, {
            (rate, trip, size) for rate, trip in [("40MB", 0.5), ("400MB", 0.25), ("100MB", 4)]
            for size in ("200KB", "8MB", "60MB")})
        self.assertEqual(len({load.words for load in links.LOADS}), len(links.LOADS))

    def test_a_burst_of_large_photos_takes_more_than_a_second(self):
        for load in links.LOADS:
            if load.size != "200KB":
                self.assertGreater(load.photos * load.bytes / (int(load.rate[:-2]) * captures.MEGABYTE), 1, load.words)

    def test_the_tables_have_rates_ratios_processor_time_and_requests(self):
        load = captures.Load("links", 20, "8MB", 8_000_000, (), 0.5, "40MB")
        results = {load: {"canon": runs(*SECONDS), "fuji": runs("framefastd", "raw")}}
        text = printed(links.print_tables, results, ["canon", "fuji"], 2)
        for cell in ("| 10, 20, 5 ", "| 10, 20, – ", "| 0.50 (0.50–0.50) ", "| 1.25 (1.25–1.25) ", "| 2.00 (2.00–2.00) ",
                     "| 10, 20, 0.50 (0.50–0.50) ", "| 10, –, – ", "| 2.0, 4.0 ", "| 2.0, – "):
            self.assertIn(cell, text)


class TableTests(unittest.TestCase):
    def test_processor_time_is_shown_only_for_loopback(self):
        near, far = captures.LOADS[0], captures.LOADS[-1]
        text = printed(captures.print_tables, {load: {"nikon": runs(*SECONDS)} for load in (near, far)}, ["nikon"], 2)
        last = text.rpartition("\n\n")[2]
        self.assertIn("processor seconds per GB", last)
        self.assertIn(near.words, last)
        self.assertNotIn(far.words, last)


if __name__ == "__main__":
    unittest.main()
