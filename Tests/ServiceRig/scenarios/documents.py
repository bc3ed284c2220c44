"""What README and docs tell a person to type."""
from rig.place import ROOT

WALK_SECONDS = 3600


def documents(bed):
    """every line that the documents tell a person to type in a booted system works"""
    guest = bed.guest
    guest.run("mkdir -p /root/walk")
    guest.put(bed.package, f"/root/walk/{bed.package.name}")
    guest.put(ROOT / "packaging" / "walkthrough", "/root/walkthrough")
    said = guest.run("bash /root/walkthrough /root/walk", seconds=WALK_SECONDS)
    assert "Every documented line was run." in said, said[-1500:]
    bed.report.note(f"{sum(line.startswith('== ') for line in said.splitlines())} chapters")
