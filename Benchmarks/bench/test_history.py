"""Tests of the recorded line of a run."""
import unittest
from unittest import mock

from . import history
from .captures import LOADS

TIMES = {"framefastd": [[0.1, 0.2]], "gphoto2": [[0.2, 0.4]]}
STATUS = {"wall": [[3.0], [2.0]], "cpu": [[2.0], [2.0]]}
RESULTS = {
    "P": {"canon": TIMES, "fuji": {**TIMES, "gphoto2": []}}, "triggers": {"released_ms": [100, 121]},
    "idle": {1: {}, 40: {"workers_percent": 0.52, "daemon_percent": 0.61, "status": STATUS}}}
for load in LOADS:
    RESULTS.setdefault(load.part, {})[load.words] = {
        "canon": {"framefastd": [{"seconds": 1}], "gphoto2": [{"seconds": 2}]}, "fuji": {"framefastd": [{"seconds": 1}]}}


class RowTests(unittest.TestCase):
    def test_the_line_has_a_cell_for_each_column_of_the_table(self):
        with mock.patch("bench.root.version", return_value="2.5.31"):
            cells = history.row(RESULTS)
        [head] = [line for line in history.FILE.read_text().splitlines() if line.startswith("| date | commit |")]
        self.assertEqual(len(cells), len(head.strip("| ").split(" | ")))
        self.assertEqual(cells[3], "2.5.31")
        self.assertEqual(cells[4:], ["2.00–2.00"] * 8 + ["121 ms", "0.5, 0.6 %", "1.5, 1.0"])


if __name__ == "__main__":
    unittest.main()
