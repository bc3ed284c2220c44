"""Tests of the comparison of results with the camera's own values."""
import unittest

from .setting_log import SettingLog


def log(*entries):
    """Returns the log of changes of the ISO: the result, its value, and the camera's values before and after."""
    found = SettingLog("canon")
    for outcome, value, before, after in entries:
        found.add({"key": "iso", "result": outcome, "value": value}, {"d103": before}, {"d103": after})
    return found


SETS = [("set", "200", 1, 2), ("set", "400", 2, 4)]


class SettingLogTests(unittest.TestCase):
    def test_equal_results_with_equal_values_are_right(self):
        self.assertEqual(log(*SETS, ("set", "200", 4, 2), ("unchanged", "200", 2, 2)).wrong(), [])

    def test_a_set_that_leaves_the_camera_at_its_value_is_wrong(self):
        [raw, word] = log(*SETS, ("set", "200", 4, 4)).wrong()
        self.assertEqual(raw, "canon: iso set to 200, and d103 is 4")
        self.assertEqual(word, "canon: iso set to 200, and d103 is still 4")

    def test_unchanged_at_another_value_than_a_set_is_wrong(self):
        self.assertIn("canon: iso unchanged to 200, and d103 is 4", log(*SETS, ("unchanged", "200", 4, 4)).wrong())
        self.assertIn("canon: iso set to 200, and d103 is 2", log(("unchanged", "200", 1, 1), *SETS).wrong())

    def test_results_without_a_change_are_wrong_if_the_camera_changed(self):
        for outcome in ("unchanged", "refused", "ignored"):
            self.assertEqual(log(*SETS, (outcome, "400", 4, 8)).wrong(), [f"canon: iso {outcome}, and ['d103'] changed"])
        self.assertEqual(log(*SETS, ("busy", None, 4, 8)).wrong(), [])

    def test_a_set_of_a_setting_that_never_changes_is_wrong(self):
        self.assertEqual(log(("set", "200", 1, 1)).wrong(), ["canon: iso set, and nothing changed"])

    def test_counts_unchanged_results_that_have_no_value_to_compare_with(self):
        self.assertEqual(log(("unchanged", "200", 1, 1)).count_unknown(), 1)
        self.assertEqual(log(("unchanged", "200", 1, 1), *SETS).count_unknown(), 0)

    def test_leaves_out_values_that_change_without_a_set(self):
        found = SettingLog("canon")
        found.first = {"d103": 1, "d1ff": 7}
        found.leave_out_changes_to({"d103": 1, "d1ff": 8})
        found.add({"key": "iso", "result": "unchanged", "value": "100"}, {"d103": 1, "d1ff": 8}, {"d103": 1, "d1ff": 9})
        self.assertEqual(found.wrong(), [])


if __name__ == "__main__":
    unittest.main()
