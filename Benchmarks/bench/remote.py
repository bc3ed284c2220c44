"""Remote control: the cost of setting changes for photos, and the times of intervals and bulb exposures."""
import collections, json, os, pathlib, random, signal, tempfile, threading, time

from . import captures
from .goals import BULB_ERROR_MS_MAX, CLOSED_WITHIN_MS, LATE_MS_MAX, TICK_GRID_MS_MAX, TICK_LATE_MS_MAX
from .machine import median, percentile, table, wait_for
from .programs import Daemon, Simulator
from .setting_log import SettingLog

MAKERS = ("generic", "canon", "nikon", "fuji", "sony")
SETS, PHOTOS = 200, 100  # per maker
PACE_SECONDS = 0.3  # the least time between the starts of two photos of a camera

TICKS, PERIOD_MS = 1_000, 200
KILLED_AFTER_SECONDS = TICKS * PERIOD_MS / 2_000
EOS_RELEASE = "9128"  # presses an EOS's shutter button; the first parameter is 1 for a half press
READ_SECONDS = 20  # the time between two reads of the log; the simulator keeps only 20,000 operations

BULB_SECONDS = 2


def controls(camera):
    """Returns the property values of a simulated camera, by code."""
    return json.loads(camera.say("controls"))


def take(cameras):
    """Takes a photo with each camera. Returns the number of refused shots.

    While a setting changes, the body of a Fujifilm is locked and refuses the shot. The function then tries again.
    """
    left, refused = list(cameras), 0

    def are_done():
        nonlocal left, refused
        left = [camera for camera in left if not camera.shoot(1)]
        refused += len(left)
        return not left

    wait_for("a photo of each camera", are_done)
    return refused


def photo_differences(taken, saved):
    """Returns a line for each SHA-256 whose number of saved files differs from its number of taken photos."""
    of_cameras, of_files = collections.Counter(taken), collections.Counter(saved)
    return [f"{photo[:16]}: taken {of_cameras[photo]} times, saved {of_files[photo]} times"
            for photo in of_cameras | of_files if of_cameras[photo] != of_files[photo]]


def show_sets(cache):
    cache.fill()
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as folder:
        scratch = pathlib.Path(folder)
        truths = {maker: scratch / f"{maker}.truth" for maker in MAKERS}
        cameras = [Simulator(
            scratch, ["--maker", maker, "--size", "2MB", "--serial", f"SETS-{maker}", "--truth", truth], name=maker)
            for maker, truth in truths.items()]
        daemon = Daemon(scratch, [camera.port for camera in cameras])
        daemon.wait_until_ready(len(MAKERS))
        offered = [[setting for setting in daemon.get(f"/v1/cameras/cam{index}/settings")["settings"]
                    if setting["writable"] != "no" and len(setting["choices"]) > 1
                    # Leaves out settings that change other settings, the target of photos, or the files of a shot.
                    and setting["key"] not in ("mode", "capture_target", "live_view_size", "quality", "drive")]
                   for index in range(len(MAKERS))]

        logs = [SettingLog(maker) for maker in MAKERS]

        def photos():
            start, before, refused = time.time(), daemon.saved(), 0
            for _ in range(PHOTOS):
                began = time.time()
                refused += take(cameras)
                time.sleep(max(0, began + PACE_SECONDS - time.time()))
            wait_for("the photos", lambda: daemon.saved() >= before + len(cameras) * PHOTOS, 120)
            return daemon.latencies(start), refused

        def change(index, results):
            for _ in range(SETS):
                setting = random.choice(offered[index])
                body = {"changes": {setting["key"]: random.choice(setting["choices"])}}
                before = controls(cameras[index])
                began = time.time()
                answer = daemon.patch(f"/v1/cameras/cam{index}/settings", body)
                if "error" in answer:
                    failures.append(f"cam{index} {body}: {answer}")
                    return
                results.append((1000 * (time.time() - began), [item["result"] for item in answer["results"]]))
                logs[index].add(answer["results"][0], before, controls(cameras[index]))

        for camera, log in zip(cameras, logs):
            log.first = controls(camera)
        (without, _), results, failures = photos(), [], []
        for camera, log in zip(cameras, logs):
            log.leave_out_changes_to(controls(camera))
        threads = [threading.Thread(target=change, args=(index, results)) for index in range(len(MAKERS))]
        for thread in threads:
            thread.start()
        with_sets, refused = photos()
        for thread in threads:
            thread.join()
        again, _ = photos()
        daemon.end()
        for camera in cameras:
            camera.statistics()  # returns after the simulator has written its file of hashes
            camera.end()
        taken = [json.loads(line)["sha256"] for truth in truths.values() for line in truth.read_text().splitlines()]
        files = daemon.hashes_of_files()
    if failures:
        raise SystemExit("bench: " + "; ".join(failures))
    wrong = [line for log in logs for line in log.wrong()]
    wrong_photos = photo_differences(taken, files)
    outcomes = [outcome for _, answer in results for outcome in answer]
    rest = without + again
    late = percentile(with_sets, .99) - percentile(rest, .99)
    print(f"\n{len(results)} sets at random over {len(MAKERS)} makers during {len(with_sets)} of {len(cameras) * PHOTOS} photos"
          f" of 2 MB; {refused} tries were refused, because a set had locked the body")
    print(f"  announced → saved p50 {median(with_sets):.0f} ms, p99 {percentile(with_sets, .99):.0f} ms; without sets p50"
          f" {median(rest):.0f} ms, p99 {percentile(rest, .99):.0f} ms: {late:+.0f} ms (goal: at most {LATE_MS_MAX})")
    print("  " + ", ".join(f"{outcomes.count(outcome)} {outcome}" for outcome in sorted(set(outcomes)))
          + f"; a set takes p50 {median([ms for ms, _ in results]):.0f} ms,"
          f" p99 {percentile([ms for ms, _ in results], .99):.0f} ms")
    print(f"  {len(taken)} photos compared with {len(files)} files by SHA-256: {len(wrong_photos)} wrong",
          *wrong_photos[:10], sep="\n    ")
    unknown = sum(log.count_unknown() for log in logs)
    compared = sum(len(log.entries) for log in logs) - unknown
    print(f"  {compared} results compared with the cameras' own values: {len(wrong)} wrong; {unknown} not compared",
          *wrong[:10], sep="\n    ", flush=True)
    return {"with_sets_ms": with_sets, "without_ms": rest, "photos": len(cameras) * PHOTOS, "refused": refused, "sets": results,
            "wrong": wrong, "wrong_photos": wrong_photos, "not_compared": unknown}


def show_interval(cache):
    cache.fill()
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as folder:
        scratch = pathlib.Path(folder)
        camera = Simulator(scratch, ["--maker", "canon", "--size", "200KB"])
        daemon = Daemon(scratch, [camera.port])
        daemon.wait_until_ready()
        releases, is_over = [], threading.Event()

        def follow():
            while not is_over.wait(READ_SECONDS):
                releases.extend(full_releases(camera))

        camera.say("log ops")
        follower = threading.Thread(target=follow)
        follower.start()
        daemon.post("/v1/cameras/cam0/interval", {"every_ms": PERIOD_MS, "count": TICKS})
        time.sleep(KILLED_AFTER_SECONDS)
        daemon.process.kill()
        daemon.process.wait()
        daemon = Daemon(scratch, [camera.port])
        daemon.wait_until_ready()
        plan = wait_for("the interval to end", lambda: (
            lambda now: now if now["state"] != "running" else None)(daemon.get("/v1/cameras/cam0/interval")), 300, pause=1)
        is_over.set()
        follower.join()
        releases += full_releases(camera)
        shots = camera.statistics()["shots"]
        wait_for("the photos", lambda: daemon.saved() >= shots, 60)
        saved = daemon.saved()
        daemon.end()
        camera.end()
    missed = ", ".join(f"{part['first']}–{part['last']}" for part in plan["missed"])
    print(f"\nan interval of {TICKS} photos each {PERIOD_MS} ms, the service killed after {KILLED_AFTER_SECONDS:.0f} s")
    print(f"  {plan['state']}: {plan['shot']} shot ({shots} by the camera, {saved} saved), missed {missed or 'none'}, refused"
          f" {len(plan['refused'])}; the latest release {plan['latest_ms']:.1f} ms after its time (goal: at most {TICK_LATE_MS_MAX})")
    apart = grid_spread_ms(releases, PERIOD_MS)
    print(f"  by the camera's log: {len(releases)} releases, whose deviations from a grid of {PERIOD_MS} ms"
          f" have a range of {'-' if apart is None else f'{apart:.1f}'} ms (goal: at most {TICK_GRID_MS_MAX})",
          flush=True)
    return {**plan, "shots": shots, "saved": saved, "releases_ns": releases, "grid_ms": apart}


def full_releases(camera):
    """Returns the release times of an EOS since the last call, in nanoseconds."""
    operations = [json.loads(line) for line in camera.say("log ops").splitlines() if '"code"' in line]
    return [entry["ns"] for entry in operations if entry["code"] == EOS_RELEASE and entry["parameters"][0] != 1]


def grid_spread_ms(times_ns, period_ms):
    """Returns the range of the deviations of times from a grid, in milliseconds, or `None` without times.

    The grid starts at the first of the times. With another start, the range would be the same.
    """
    period = 1_000_000 * period_ms
    errors = [time - round(time / period) * period for time in (time - times_ns[0] for time in times_ns)]
    return (max(errors) - min(errors)) / 1e6 if errors else None


def show_bulb():
    """Measures the accuracy of bulb exposures, and the time until the shutter closes after a failure."""
    results, rows = {}, []
    for maker in ("canon", "nikon", "fuji", "sony"):
        with tempfile.TemporaryDirectory(prefix="framefast-bench-") as folder:
            scratch = pathlib.Path(folder)
            camera = Simulator(scratch, ["--maker", maker, "--size", "200KB"])
            for dial in {"nikon": ["mode=M"], "fuji": ["shutter=bulb"], "sony": ["shutter=bulb"]}.get(maker, []):
                camera.say(f"dial {dial}")
            daemon = Daemon(scratch, [camera.port])
            daemon.wait_until_ready()

            def shutter():
                return json.loads(camera.say("bulb-state"))

            def hold(seconds):
                daemon.post("/v1/cameras/cam0/bulb", {"seconds": seconds})
                if not shutter()["open"]:
                    raise SystemExit(f"bench: the shutter of a {maker} is not open")
                time.sleep(0.5)

            def closed():
                wait_for("the shutter to close", lambda: not shutter()["open"])
                return shutter()

            def open_ms(state):
                return (state["closed_ns"] - state["opened_ns"]) / 1e6

            hold(BULB_SECONDS)
            plain = open_ms(closed()) - 1000 * BULB_SECONDS
            time.sleep(1)
            hold(BULB_SECONDS)
            daemon.process.kill()
            daemon.process.wait()
            alone = open_ms(closed()) - 1000 * BULB_SECONDS
            daemon = Daemon(scratch, [camera.port])
            daemon.wait_until_ready()
            hold(600)
            [worker] = daemon.workers()
            killed_ns = time.monotonic_ns()
            os.kill(worker, signal.SIGKILL)
            after_kill = (closed()["closed_ns"] - killed_ns) / 1e6
            daemon.wait_until_ready()
            hold(600)
            camera.say("link down")
            time.sleep(1)
            back_ns = time.monotonic_ns()
            camera.say("link up")
            after_link = (closed()["closed_ns"] - back_ns) / 1e6
            daemon.end()
            camera.end()
        results[maker] = [plain, alone, after_kill, after_link]
        rows.append([captures.MAKERS[maker], f"{plain:+.1f} ms", f"{alone:+.1f} ms", f"{after_kill:.0f} ms", f"{after_link:.0f} ms"])
    print(f"\na bulb exposure of {BULB_SECONDS} s at the camera, and the time until the shutter closes (goals: an error of"
          f" {BULB_ERROR_MS_MAX} ms, and {CLOSED_WITHIN_MS} ms after the camera can be reached)")
    print(table(["maker", f"{BULB_SECONDS} s", "the service killed in it", "after the worker was killed",
                 "after the link was back"], rows), flush=True)
    return results
