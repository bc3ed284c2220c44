"""Builds the guest, runs the scenarios, tells how they went."""
import argparse, pathlib, random, subprocess, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from rig import image as images  # noqa: E402
from rig.guest import Guest  # noqa: E402
from rig.installation import Installation, package  # noqa: E402
from rig.place import STORE, Cannot  # noqa: E402
from rig.report import Report  # noqa: E402
from rig.service import Service  # noqa: E402
from scenarios import ALL  # noqa: E402
from scenarios.bed import Bed  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/service-rig", description=
                                     "FrameFast as it is installed: a Debian guest in QEMU, with cameras on its USB.")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help="only these; --list names them")
    parser.add_argument("--list", action="store_true", help="name the scenarios and end")
    parser.add_argument("--package", type=pathlib.Path, metavar="FILE", help="the package to install; built by scripts/package without it")
    parser.add_argument("--cuts", type=int, default=30, metavar="N", help="power cuts in power-cuts (30)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="of the random moments")
    parser.add_argument("--keep", action="store_true", help="leave the files of the run, and say where they are")
    parser.add_argument("--shell", action="store_true", help="open a shell in the guest after the scenarios (none by default)")
    options = parser.parse_args()
    for name in options.scenarios:
        if name not in ALL:
            parser.error(f"no such scenario: {name}; --list names them")
    return options


def main():
    options = arguments()
    if options.list:
        for name, scenario in ALL.items():
            print(f"{name:<17} {title(scenario)}")
        return 0
    chosen = options.scenarios or ([] if options.shell else list(ALL))
    report = Report()
    image = images.image(report.say)
    deb = package(options.package, report.say)
    STORE.mkdir(parents=True, exist_ok=True)
    room = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=STORE))
    guest = None
    try:
        installation = Installation(image, deb)
        guest = Guest(image, room / "disk.qcow2", room)
        bed = Bed(guest, Service(guest), report, room, image, deb, options.seed, options)
        bed.installed = installation
        chosen = [name for name in ALL if name in chosen]
        if chosen[:1] == ["installed"] or not installation.is_there:
            chosen = [name for name in chosen if name != "installed"]
            installation.start_bare(guest)
            if not report.scenario("installed", title(ALL["installed"]), lambda: ALL["installed"](bed)):
                chosen = []
            else:
                installation.keep(guest)
        if chosen or options.shell:
            installation.begin(guest)
        for name in chosen:
            if not report.scenario(name, title(ALL[name]), lambda: ALL[name](bed)) and options.keep:
                (room / f"{name}.journal").write_text(bed.guest.run("journalctl -q --no-pager -n 400", status=None))
        if options.shell:
            subprocess.run(["ssh", *guest.shell.options, "-t", "root@127.0.0.1"])
    finally:
        if guest:
            guest.stop()
        if options.keep:
            report.say(f"The files of this run are in {room}")
        else:
            subprocess.run(["rm", "-rf", room])
    return 1 if report.failures else 0


def title(scenario):
    return scenario.__doc__.strip().splitlines()[0]


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Cannot as reason:
        sys.exit(f"service-rig: {reason}")
    except KeyboardInterrupt:
        sys.exit(130)
