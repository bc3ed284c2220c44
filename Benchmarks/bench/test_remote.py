"""Tests of the figures of remote control that need no program."""
import unittest

from . import remote


class GridTests(unittest.TestCase):
    def test_late_and_early_times_are_apart_on_the_grid(self):
        self.assertEqual(remote.grid_spread_ms([7_000_000, 209_000_000, 405_000_000], 200), 4)

    def test_missing_times_do_not_move_the_grid(self):
        self.assertEqual(remote.grid_spread_ms([0, 1_001_000_000, 200_000_000_000], 200), 1)

    def test_no_times_have_no_spread(self):
        self.assertIsNone(remote.grid_spread_ms([], 200))


if __name__ == "__main__":
    unittest.main()
