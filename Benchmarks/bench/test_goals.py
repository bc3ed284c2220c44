"""Tests of the goals: the figures that miss a goal, and the text of the list."""
import copy, json, unittest

from . import goals, live

MET = {
    "A": {"20 x 8 MB": {}},
    "live": {
        "turns": {"photos of 25 MB": {"live view": [70, 72, 74], "other camera": [70, 70, 71], "without": [66, 69, 69]}},
        "lasting_ms": {"live view": [80], "without": [75]}, "burst_frames": [(0, 0.8)], "frames_per_second": 14.4,
        "memory_kib": [(46_000, 19_000)] * 50},
    "sets": {
        "with_sets_ms": [139] * 500, "without_ms": [37] * 1_000, "photos": 500, "sets": [], "wrong": [], "wrong_photos": []},
    "interval": {
        "count": 1_000, "shot": 997, "missed": [{"first": 499, "last": 501}], "refused": [], "latest_ms": 3.8, "shots": 997,
        "saved": 997, "grid_ms": 9.9},
    "bulb": {"canon": [0.5, -1.5, 384, 1_000]},
    "group": {"cameras_spread_ms": [4.0] * 19 + [9.0], "photos": 2_000, "expected": 2_000},
    "pages": {"loopback": {"with_devices": [19, 20], "without": [20, 20]}},
}


def changed(part, **figures):
    results = copy.deepcopy(MET)
    results[part].update(figures)
    return [str(goal) for goal in goals.missed(results)]


class GoalTests(unittest.TestCase):
    def test_figures_at_their_goals_miss_nothing(self):
        self.assertEqual(goals.missed(MET), [])

    def test_the_report_has_each_goal_of_the_measured_parts(self):
        lines = goals.report({"sets": MET["sets"], "A": {}, "group": {**MET["group"], "photos": 1_999}}).splitlines()
        self.assertEqual(lines, [
            "1 of 6 goals missed:",
            "  met    sets: increase of p99 from announced to saved, caused by sets: 102 ms (goal: at most 150 ms)",
            "  met    sets: photos that were not saved during the sets: 0 (goal: at most 0)",
            "  met    sets: photos that are missing or saved twice, and other files in the folder: 0 (goal: at most 0)",
            "  met    sets: wrong results: 0 (goal: at most 0)",
            "  met    group: spread of a shot, 95th percentile: 4 ms (goal: at most 5 ms)",
            "  MISSED group: photos that are not saved: 1 (goal: at most 0)"])

    def test_reads_the_figures_of_the_json_file(self):
        self.assertEqual(goals.missed(json.loads(json.dumps(MET))), [])

    def test_parts_without_goals_and_parts_that_did_not_run_miss_nothing(self):
        self.assertEqual(goals.missed({"A": {}, "bulb": MET["bulb"]}), [])

    def test_delayed_photos_miss_the_goal_of_each_state_and_load(self):
        slow = {"live view": [111], "other camera": [100], "without": [112]}
        self.assertEqual(changed("live", turns={"bursts of 20": slow}), [
            "live: bursts of 20, time from announced to saved, live view / other camera: 1.11 times (goal: at most 1.1 times)"])

    def test_delayed_photos_of_the_ten_minutes_miss_their_goal(self):
        self.assertEqual(changed("live", lasting_ms={"live view": [111], "without": [100]}), [
            "live: ten minutes, time from announced to saved, live view / without: 1.11 times (goal: at most 1.1 times)"])
        self.assertEqual(len(changed("live", lasting_ms={"live view": [80], "without": []})), 1)

    def test_frames_during_bursts_have_no_goal(self):
        self.assertEqual(changed("live", burst_frames=[]), [])

    def test_few_frames_and_growing_memory_miss_their_goals(self):
        self.assertEqual(changed("live", frames_per_second=13.4), ["live: frames: 13.4 a second (goal: at least 13.5 a second)"])
        growing = [(46_000 + 100 * number, 19_000) for number in range(50)]
        self.assertEqual(len(changed("live", memory_kib=growing)), 1)

    def test_missing_figures_miss_their_goals(self):
        empty = {"photos of 25 MB": {"live view": [70], "other camera": [70], "without": []}}
        self.assertEqual(changed("live", turns=empty), [
            "live: photos of 25 MB, time from announced to saved, live view / without: no figure (goal: at most 1.1 times)"])
        self.assertEqual(len(changed("live", memory_kib=[])), 2)
        self.assertEqual(len(changed("sets", with_sets_ms=[])), 2)
        self.assertEqual(len(changed("group", cameras_spread_ms=[])), 1)

    def test_each_fault_of_sets_misses_its_goal(self):
        self.assertEqual(changed("sets", with_sets_ms=[188] * 500), [
            "sets: increase of p99 from announced to saved, caused by sets: 151 ms (goal: at most 150 ms)"])
        self.assertEqual(changed("sets", with_sets_ms=[139] * 499), [
            "sets: photos that were not saved during the sets: 1 (goal: at most 0)"])
        self.assertEqual(len(changed("sets", wrong_photos=["01ab: saved 2 times, taken 1 times"])), 1)
        self.assertEqual(changed("sets", wrong=["canon: iso set, and nothing changed"]), [
            "sets: wrong results: 1 (goal: at most 0)"])

    def test_late_unlisted_and_lost_photos_of_an_interval_miss_their_goals(self):
        self.assertEqual(len(changed("interval", latest_ms=10.1)), 1)
        self.assertEqual(changed("interval", grid_ms=10.1), [
            "interval: range of the releases' deviations from their planned times: 10.1 ms (goal: at most 10 ms)"])
        self.assertEqual(len(changed("interval", grid_ms=None)), 1)
        self.assertEqual(len(changed("interval", missed=[])), 1)
        self.assertEqual(len(changed("interval", refused=[{"first": 3, "last": 3}])), 1)
        self.assertEqual(len(changed("interval", saved=996)), 1)

    def test_each_time_of_a_bulb_exposure_has_a_goal(self):
        for late in ([20.1, 0, 0, 0], [0, -20.1, 0, 0], [0, 0, 1_006, 0], [0, 0, 0, 1_006]):
            self.assertEqual(len(changed("bulb", nikon=late)), 1, late)

    def test_one_wide_shot_of_twenty_meets_the_goal_and_two_miss_it(self):
        self.assertEqual(changed("group", cameras_spread_ms=[4.0] * 18 + [9.0, 9.0]), [
            "group: spread of a shot, 95th percentile: 9 ms (goal: at most 5 ms)"])
        self.assertEqual(len(changed("group", photos=1_999)), 1)

    def test_slower_bursts_with_devices_miss_their_goal(self):
        self.assertEqual(changed("pages", loopback={"with_devices": [18, 18, 20], "without": [19, 20, 21]}), [
            "pages: loopback, rate of a burst, with devices / without: 0.9 times (goal: at least 0.95 times)"])
        self.assertEqual(len(changed("pages", loopback={"with_devices": [], "without": [20]})), 1)


class LiveTests(unittest.TestCase):
    def test_counts_only_frames_of_the_period(self):
        self.assertEqual(live.frames_between([0.9, 1.0, 1.5, 2.0, 2.1], 1.0, 2.0), 3)

    def test_each_state_is_first_second_and_third_equally_often(self):
        orders = [live.order(turn) for turn in range(live.TURNS)]
        for place in range(len(live.STATES)):
            states = [order[place] for order in orders]
            self.assertEqual({state: states.count(state) for state in live.STATES},
                             dict.fromkeys(live.STATES, live.TURNS // len(live.STATES)))


if __name__ == "__main__":
    unittest.main()
