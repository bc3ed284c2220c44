"""The whole computer goes."""
from rig.cameras import Camera

BURST = 60
SAVED_BEFORE = 10


def hard_reset(bed):
    """the computer is reset in the middle of a burst: what was saved is there, the rest is fetched"""
    camera = Camera(bed.guest, "reset1", "--maker", "canon")
    camera.plug_in()
    bed.service.until_camera("reset1")
    bed.guest.run(f"printf 'burst {BURST} 100\\n' | systemd-run --quiet --collect --pipe nc -U {camera.socket} >/dev/null 2>&1 &")
    bed.service.until(lambda _: count(bed) >= SAVED_BEFORE, "no photos arrive")
    before = {i: row for i, row in bed.service.records().items() if row["state"] == "saved"}
    bed.guest.cut_power()
    bed.guest.boot()
    bed.guest.until("systemctl is-active framefastd", "framefastd is not active after the reset")
    with camera:
        bed.service.until_camera("reset1")
        after = bed.service.until_saved(camera.photos())
        bed.service.check_files(after)
        for number, row in before.items():
            assert after[number] == row, f"{row['name']} was saved and is different now: {after[number]}"
        of_camera = [row for row in after.values() if row["sha256"] in camera.photos()]
        bed.report.note(f"{len(before)} saved before the reset, {len(of_camera)} of {len(camera.photos())} on the card after it")
        assert len(of_camera) == len(camera.photos()), "a photo was saved twice"


def count(bed):
    return sum(row["state"] == "saved" and row["name"].startswith("IMG") for row in bed.service.records().values())
