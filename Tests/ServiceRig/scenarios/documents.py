"""The commands in README and docs."""
from rig.place import ROOT


def documents(bed):
    """every documented command works, from apt install to apt purge"""
    bed.guest.put(bed.package, f"/root/{bed.package.name}")
    bed.guest.put(ROOT / "packaging" / "walkthrough", "/root/walkthrough")
    said = bed.guest.run("bash /root/walkthrough /root 2>&1", status=None, seconds=3600)
    steps = [line for line in said.splitlines() if line.startswith("== ")]
    complaints = [line for line in said.splitlines() if line.startswith("walkthrough:")]
    assert said.rstrip().endswith("Every documented line was run."), f"{steps[-1:]} {complaints} {said[-1500:]}"
    bed.report.add_figure(f"{len(steps)} parts of the documents")
