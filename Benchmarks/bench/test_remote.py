"""Tests of the remote-control figures. The tests start no program."""
import unittest

from . import remote


class Camera:
    """A camera that refuses its first shots."""

    def __init__(self, refusals):
        self.refusals, self.photos = refusals, 0

    def shoot(self, photos):
        self.refusals -= 1
        if self.refusals >= 0:
            return False
        self.photos += photos
        return True


class PhotoTests(unittest.TestCase):
    def test_each_camera_takes_one_photo_despite_refused_shots(self):
        cameras = [Camera(0), Camera(2), Camera(1)]
        self.assertEqual(remote.take(cameras), 3)
        self.assertEqual([camera.photos for camera in cameras], [1, 1, 1])

    def test_equal_photos_have_no_differences(self):
        self.assertEqual(remote.photo_differences(["a", "b"], ["b", "a"]), [])

    def test_lost_doubled_and_foreign_photos_are_differences(self):
        self.assertEqual(remote.photo_differences(["a", "b"], ["b", "b", "c"]), [
            "a: taken 1 times, saved 0 times", "b: taken 1 times, saved 2 times", "c: taken 0 times, saved 1 times"])


class GridTests(unittest.TestCase):
    def test_late_and_early_times_are_apart_on_the_grid(self):
        self.assertEqual(remote.grid_spread_ms([7_000_000, 209_000_000, 405_000_000], 200), 4)

    def test_missing_times_do_not_move_the_grid(self):
        self.assertEqual(remote.grid_spread_ms([0, 1_001_000_000, 200_000_000_000], 200), 1)

    def test_no_times_have_no_spread(self):
        self.assertIsNone(remote.grid_spread_ms([], 200))


if __name__ == "__main__":
    unittest.main()
