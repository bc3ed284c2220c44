"""Tests of the comparison of photos."""

import unittest

from photos import differences


def record(sha256, path=None, saved_at="2026-01-01T00:00:00Z"):
    return {"id": 1, "original_name": "A.JPG", "state": "saved", "saved_at": saved_at, "sha256": sha256, "path": path or f"/p/{sha256}"}


class PhotoTests(unittest.TestCase):
    def compare(self, taken, records, files):
        unfinished, wrong = differences(taken, records, files)
        return len(unfinished), len(wrong)

    def test_equal_photos_have_no_differences(self):
        self.assertEqual(self.compare(["a", "b"], [record("a"), record("b")], {"/p/a": "a", "/p/b": "b"}), (0, 0))
        self.assertEqual(self.compare([], [], {}), (0, 0))

    def test_a_missing_photo_is_unfinished(self):
        # In the ledger and on disk.
        self.assertEqual(self.compare(["a", "b"], [record("a")], {"/p/a": "a"}), (2, 0))
        self.assertEqual(self.compare(["a"], [record("a", saved_at=None)], {}), (3, 0))

    def test_a_file_without_a_record_is_unfinished(self):
        unfinished, wrong = differences(["a"], [], {"/p/a": "a"})
        self.assertIn("a file has no record: /p/a", unfinished)
        self.assertEqual(wrong, [])

    def test_a_duplicated_photo_is_wrong(self):
        self.assertEqual(self.compare(["a"], [record("a"), record("a", "/p/c")], {"/p/a": "a", "/p/c": "a"}), (0, 2))

    def test_other_bytes_are_wrong(self):
        _, wrong = differences(["a"], [record("a")], {"/p/a": "x"})
        self.assertIn("the file of /p/a has other bytes than its record", wrong)
        self.assertIn("1 too many on disk: x", wrong)


if __name__ == "__main__":
    unittest.main()
