"""Tests of the figures of single shots. The tests start no program."""
import unittest

from . import paced


class ShotTests(unittest.TestCase):
    def test_all_rounds_together_have_at_least_the_wanted_shots(self):
        self.assertEqual([paced.shots_in_round(200, rounds) for rounds in (1, 3, 5)], [200, 67, 40])

    def test_the_row_has_percentiles_of_all_rounds_and_ratios(self):
        ours, theirs = [[0.1] * 99 + [0.3], [0.1] * 98 + [0.2] * 2], [[0.2] * 100, [0.2] * 98 + [0.4] * 2]
        self.assertEqual(paced.row("canon", {"framefastd": ours, "gphoto2": theirs}), [
            "Canon", "100", "200", "200", "400", "2.00 (2.00–2.00)", "2.00"])

    def test_a_program_that_lost_photos_has_dashes(self):
        self.assertEqual(paced.row("fuji", {"framefastd": [[0.1]], "gphoto2": []}), [
            "Fujifilm", "100", "100", "–", "–", "–", "–"])


if __name__ == "__main__":
    unittest.main()
