"""The lock that keeps the computer awake."""

LOCKS = "systemd-inhibit --list --no-legend --no-pager"
OURS = f"{LOCKS} | grep -w FrameFast"


def awake(bed):
    """during a session, the service holds logind's sleep lock, although it has no login session"""
    guest, service = bed.guest, bed.service
    assert guest.status(OURS) != 0, "there is a lock before the session"
    service.ask("session", "start", "Awake")
    lock = guest.until(OURS, "logind has no lock of FrameFast").strip()
    bed.report.add_figure(lock)
    words = lock.split()
    for word in ("framefast", "sleep", "block"):
        assert word in words, f"‘{word}’ is not in: {lock}"
    said = guest.run("systemctl suspend --check-inhibitors=yes 2>&1", status=None)
    assert "FrameFast" in said, f"`systemctl suspend` does not name the lock: {said}"
    service.ask("session", "stop")
    guest.until(f"! {{ {OURS}; }}", "the lock stays after the session")
    said = guest.run("journalctl -q -u framefastd -o cat | grep 'may go to sleep'", status=None)
    assert not said.strip(), said
