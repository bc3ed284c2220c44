"""Long operations: movies and intervals."""
from rig.cameras import Camera
from rig.people import Program
from .bed import connected

COUNT = 6
# The interval between two photos, in seconds. In the guest a release and its photo take some seconds.
EVERY_SECONDS, EVERY_SECONDS_REBOOT = 15, 40
# One crash during the movie, and one crash in the step that ends the movie in the next connection.
CRASHES_MAX = 2


def sony_movie(bed):
    """a Sony stays usable after a movie that crashes the driver

    Seen on 34c558d in Debian 13, 2 of 2 runs: the library crashed (upstream #974). The recorded movie setting was restored at each
    connection and crashed the next worker: "does not answer … Wake the camera". In one run 7 of 8 photos arrived. Debian 12's
    library does not crash there."""
    camera = Camera(bed.guest, "movie1", "--maker", "sony")
    # The service counts crashes from its start, and this scenario restarts the service.
    crashes = -crashed_workers(bed)
    with connected(bed, camera):
        body = bed.service.until_camera(camera.name)["id"]
        said = root(bed).types(f"framefast --json movie {body} 2s")
        bed.report.add_figure(f"movie: status {said.status}")

        def replug():
            camera.command("unplug")
            bed.service.until_camera(camera.name, state="gone")
            camera.command("plug")

        def restart():
            nonlocal crashes
            crashes += crashed_workers(bed)
            bed.guest.run("systemctl restart framefastd")

        for step in (lambda: None, replug, replug, restart):
            step()
            bed.service.until_camera(camera.name)
            camera.shoot(2)
            bed.service.until_saved(pictures(camera))
        crashes += crashed_workers(bed)
        bed.report.add_figure(f"{crashes} crashes of workers")
        assert crashes <= CRASHES_MAX, f"{crashes} workers crashed: a step that crashes was tried again"


def crashed_workers(bed):
    """Returns the number of driver crashes by any signal since the start of the service."""
    return int(bed.service.metric("framefast_worker_restarts_total", how="crashed"))


def pictures(camera):
    """Returns the camera's photos without its movies."""
    return {digest: name for digest, name in camera.photos().items() if not name.upper().endswith((".MP4", ".MOV"))}


def interval_complete(bed):
    """an interval takes all its photos, and its status reports them

    Seen on 34c558d in three runs: "2 of 6 photos: the session ends" with status 0, after FrameFast's own listing of the card."""
    with connected(bed, Camera(bed.guest, "even1", "--maker", "nikon")) as camera:
        body = bed.service.until_camera(camera.name)["id"]
        said = root(bed).types(f"framefast --json interval {body} --every {EVERY_SECONDS}s --count {COUNT}")
        reply = finish_interval(bed, camera, body)
        assert (reply["shot"] == COUNT) == (said.status == 0), f"status {said.status} with {summary(reply)}"
        assert reply["shot"] == COUNT, summary(reply)


def interval_lost_event(bed):
    """an interval continues after a photo whose event the camera lost

    Seen on 34c558d: the lost event ended the interval, with status 0."""
    with connected(bed, Camera(bed.guest, "even2", "--maker", "nikon")) as camera:
        body = start_interval(bed, camera, EVERY_SECONDS)
        camera.command("fault lost-event@shot 3")
        finish_interval(bed, camera, body)


def interval_restart(bed):
    """an interval continues after `systemctl restart`

    Seen on 34c558d: the restart ended the interval, although help and documents promise that it continues."""
    with connected(bed, Camera(bed.guest, "even3", "--maker", "nikon")) as camera:
        body = start_interval(bed, camera, EVERY_SECONDS)
        until_shot(bed, body, 2)
        bed.guest.run("systemctl restart framefastd")
        before = len(camera.photos())
        finish_interval(bed, camera, body)
        assert len(camera.photos()) > before, "no photo was taken after the restart"


def interval_reboot(bed):
    """an interval continues after a reboot

    Seen on 34c558d: no interval was left after the service had stopped."""
    camera = Camera(bed.guest, "even4", "--maker", "nikon")
    camera.plug_in()
    bed.service.until_camera(camera.name)
    body = start_interval(bed, camera, EVERY_SECONDS_REBOOT)
    until_shot(bed, body, 1)
    before = len(camera.photos())
    bed.guest.reboot()
    bed.guest.until("framefast version", "the service does not answer after the boot")
    with camera:
        bed.service.until_camera(camera.name)
        finish_interval(bed, camera, body)
        assert len(camera.photos()) > before, "no photo was taken after the reboot"


def root(bed):
    return Program(bed.guest, "root")


def start_interval(bed, camera, seconds):
    """Starts an interval, and returns the camera's id."""
    body = bed.service.until_camera(camera.name)["id"]
    said = root(bed).types(f"framefast --json interval --detach {body} --every {seconds}s --count {COUNT}")
    assert said.status == 0, said.text
    return body


def until_shot(bed, body, count):
    bed.service.until(lambda _: interval(bed, body)["shot"] >= count, f"the interval does not take {count} photos", EVERY_SECONDS_REBOOT * count + 60)


def interval(bed, body):
    return bed.service.ask("interval", body)


def finish_interval(bed, camera, body):
    """Waits for the end of an interval, and checks that every photo is counted once and every taken photo is saved."""
    bed.service.until(lambda _: interval(bed, body)["state"] != "running", "the interval does not end", EVERY_SECONDS_REBOOT * COUNT)
    reply = interval(bed, body)
    bed.report.add_figure(summary(reply))
    assert reply["state"] == "ended", summary(reply)
    others = sum(photos["last"] - photos["first"] + 1 for photos in [*reply["missed"], *reply["refused"]])
    assert reply["past"] == COUNT and reply["shot"] + others == COUNT, f"not every photo is counted: {summary(reply)}"
    on_card = camera.photos()
    assert len(on_card) == reply["shot"], f"{len(on_card)} photos are on the card: {summary(reply)}"
    bed.service.check_files(bed.service.until_saved(on_card))
    return reply


def summary(reply):
    return f"{reply['state']}, {reply['shot']} of {reply['count']} shot, missed {reply['missed']}, refused {reply['refused']}, reason {reply['reason']}"
