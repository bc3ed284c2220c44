"""Tests of idle cameras and of the costs of calls. The tests start no program."""
import collections, unittest

from . import captures, costs


class FleetTests(unittest.TestCase):
    def test_cameras_are_in_equal_parts_of_all_makers(self):
        for cameras in (40, 100):
            self.assertEqual(collections.Counter(costs.makers_of(cameras)), dict.fromkeys(captures.MAKERS, cameras // 5))

    def test_a_single_camera_is_generic(self):
        self.assertEqual(costs.makers_of(1), ["generic"])


class StatusTests(unittest.TestCase):
    COSTS = {"wall": [[8.0, 9.0], [6.0, 6.0], [4.0, 3.0]], "cpu": [[4.0, 4.0], [2.0, 2.0], [2.0, 2.0]]}

    def test_each_format_is_paired_with_the_costs_of_gphoto2_from_the_same_turns(self):
        self.assertEqual(costs.pair_with_last(self.COSTS, ("status", "waybar")), {
            "status": {"wall": [[8.0, 9.0], [4.0, 3.0]], "cpu": [[4.0, 4.0], [2.0, 2.0]]},
            "waybar": {"wall": [[6.0, 6.0], [4.0, 3.0]], "cpu": [[2.0, 2.0], [2.0, 2.0]]}})

    def test_the_row_of_a_format_has_its_time_and_its_ratios(self):
        pair = costs.pair_with_last(self.COSTS, ("status", "waybar"))
        self.assertEqual(costs.status_row("waybar", pair["waybar"]), [
            "waybar", "6.0 ms", "1.75 (1.50–2.00)", "1.00 (1.00–1.00)"])


if __name__ == "__main__":
    unittest.main()
