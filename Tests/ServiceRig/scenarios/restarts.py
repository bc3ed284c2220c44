"""Resets of the whole computer."""
from rig.cameras import Camera

BURST = 60
SAVED_BEFORE = 10


def hard_reset(bed):
    """keeps saved photos and fetches the rest after a reset during a burst"""
    camera = Camera(bed.guest, "reset1", "--maker", "canon")
    camera.plug_in()
    bed.service.until_camera("reset1")
    bed.guest.run(f"printf 'burst {BURST} 100\\n' | systemd-run --quiet --collect --pipe nc -U {camera.socket} >/dev/null 2>&1 &")
    bed.service.until(lambda _: saved_count(bed) >= SAVED_BEFORE, "no photos arrive")
    before = {i: row for i, row in bed.service.records().items() if row["state"] == "saved"}
    bed.guest.cut_power()
    bed.guest.boot()
    bed.guest.until("systemctl is-active framefastd", "framefastd is not active after the reset")
    with camera:
        bed.service.until_camera("reset1")
        on_card = camera.photos()
        after = bed.service.until_saved(on_card)
        bed.service.check_files(after)
        for number, row in before.items():
            assert after[number] == row, f"{row['name']} was saved and is different now: {after[number]}"
        fetched = sum(row["sha256"] in on_card for row in after.values())
        bed.report.add_figure(f"{len(before)} saved before the reset, {fetched} of {len(on_card)} on the card after it")
        assert fetched == len(on_card), "a photo was saved twice"


def saved_count(bed):
    return sum(row["state"] == "saved" and row["name"].startswith("IMG") for row in bed.service.records().values())
