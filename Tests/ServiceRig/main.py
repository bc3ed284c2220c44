"""Builds the guests, runs the scenarios and reports the results."""
import argparse, hashlib, pathlib, random, signal, sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from rig import failures, host, image as images, machine  # noqa: E402
from rig.installation import package  # noqa: E402
from rig.place import ROOT, STORE, Cannot, Unreachable, run  # noqa: E402
from rig.plan import Plan, chosen, lines  # noqa: E402
from rig.report import Report  # noqa: E402
from rig.results import Results  # noqa: E402
from rig.suites import SUITES, suites  # noqa: E402
from running import Running  # noqa: E402
from scenarios import ALL, ALONE, title  # noqa: E402

RESULTS = STORE / "results.json"


def arguments(words=None):
    parser = argparse.ArgumentParser(prog="scripts/service-rig", description=
                                     "Tests the installed FrameFast in Debian guests in QEMU, with USB cameras.")
    parser.add_argument("--list", action="store_true", help="list the scenarios and exit")
    parser.add_argument("--dry-run", action="store_true", help="print the steps and missing requirements, and exit")
    parser.add_argument("--suite", choices=[*SUITES, "all"], default="all", help="the Debian release (all)")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="number of runs of each scenario (1)")
    parser.add_argument("--keep", nargs="+", default=[], metavar="PATTERN", help="only scenarios whose names match, for example '*boot*' 'interval*'")
    parser.add_argument("--continue", dest="goes_on", action="store_true", help="continue the run in the results file")
    parser.add_argument("--results", type=pathlib.Path, default=RESULTS, metavar="FILE", help=f"the results file, with the extension .json; a table is written next to it ({RESULTS.relative_to(ROOT)})")
    parser.add_argument("--package", type=pathlib.Path, metavar="FILE", help="the package to install (default: built by scripts/package)")
    parser.add_argument("--older", type=pathlib.Path, metavar="FILE", help="the package that newcomer-package upgrades from (default: the scenario upgrades to a higher version of the same package)")
    parser.add_argument("--cuts", type=int, default=30, metavar="N", help="power cuts in power-cuts (30)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="seed of the random moments")
    parser.add_argument("--kvm", action="store_true", help="use KVM instead of software emulation, if this computer supports it")
    parser.add_argument("--patience", type=float, default=1, metavar="X", help="factor for the time limit of a boot (1)")
    parser.add_argument("--keep-files", action="store_true", help="keep the files of each run and print their folder")
    parser.add_argument("--shell", action="store_true", help="open a shell in the guest; scenarios run only with --keep")
    options = parser.parse_args(words)
    if options.runs < 1:
        parser.error("--runs needs a number from 1 on")
    for file in (options.package, options.older):
        if file and not file.is_file():
            parser.error(f"there is no package {file}")
    if options.results.suffix != ".json":
        parser.error(f"the results file {options.results} needs the extension .json, because the table has the same name with .md")
    return options


def plan_of(options):
    names = chosen(list(ALL), options.keep) if options.keep or not options.shell else []
    return Plan(suites(options.suite), options.runs, names, options.seed, options.cuts)


def results_of(options, say):
    """Returns the results to fill: the earlier results with --continue, otherwise empty results."""
    path = options.results.resolve()
    if not options.goes_on:
        deb = package(options.package, say)
        if path.exists():
            path.replace(path.with_name(path.stem + ".before.json"))
        return Results(path, plan_of(options), deb, digest(deb), commit())
    results = Results.load(path)
    deb = options.package.resolve() if options.package else pathlib.Path(results.package)
    if not deb.is_file() or digest(deb) != results.digest:
        raise Cannot(f"the results in {path} belong to another package than {deb}: pass that package with --package, or omit --continue to start a new run")
    results.package = str(deb)
    return results


def digest(file):
    return hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest()


def commit():
    """Returns git's description of the checkout, or "unknown" if git refuses root access to another user's folder."""
    try:
        return run("git", "-C", ROOT, "describe", "--always", "--dirty").strip()
    except Cannot:
        return "unknown"


def dry_run(options, say):
    """Prints the plan and the reasons why it cannot run. Builds and starts nothing."""
    results = Results.load(options.results.resolve()) if options.goes_on else None
    plan = results.plan if results else plan_of(options)
    states = {name: "the image exists" if images.is_there(SUITES[name]) else "the image is missing and is built first"
              for name in plan.suites}
    for line in lines(plan, results.done if results else (), {name: title(name) for name in ALL}, ALONE, states):
        say(line)
    say(f"package: {results.package if results else options.package or 'built by scripts/package'}")
    obstacles = obstacles_of(plan, options)
    for sentence in obstacles:
        say(f"cannot run now: {sentence}")
    return 1 if obstacles else 0


def obstacles_of(plan, options):
    builds = not all(images.is_there(SUITES[name]) for name in plan.suites)
    return list(failures.host(host.check(), builds, options.kvm))


def main():
    options = arguments()
    report = Report()
    if options.list:
        for name in ALL:
            report.say(f"{name:<18} {title(name)}")
        return 0
    if options.dry_run:
        return dry_run(options, report.say)
    STORE.mkdir(parents=True, exist_ok=True)
    # SIGTERM ends the rig like Ctrl-C: it stops the guests and keeps the results.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    machine.patience = options.patience
    plan = Results.load(options.results.resolve()).plan if options.goes_on else plan_of(options)
    if obstacles := obstacles_of(plan, options):
        raise Cannot("\n".join(obstacles))
    results = results_of(options, report.say)
    options.cuts = results.plan.cuts
    if not options.kvm:
        report.say("The guests run under software emulation: everything takes ten times as long. --kvm uses KVM if this computer supports it.")
    failed_suites = 0
    for name in results.plan.suites:
        image = images.image(SUITES[name], report.say, options.kvm)
        try:
            for number in range(1, results.plan.runs + 1):
                if steps := results.plan.steps_of(name, number, results.done):
                    Running(image, pathlib.Path(results.package), number, results, report, options).perform(steps)
        except Cannot as reason:
            if reason.status != 1:
                raise
            failed_suites += 1
            report.say(f"service-rig: {reason}")
        if options.shell:
            Running(image, pathlib.Path(results.package), 1, results, report, options).open_shell()
    if results.outcomes:
        report.say(results.markdown())
        report.say(f"The results are in {results.path} and {results.table}")
    return 1 if results.failures or failed_suites else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unreachable as reason:
        print(f"INFRASTRUCTURE: service-rig: {reason}", file=sys.stderr)
        sys.exit(reason.status)
    except Cannot as reason:
        sys.exit(f"service-rig: {reason}")
    except KeyboardInterrupt:
        print("Interrupted. The results are saved; --continue continues the run.", file=sys.stderr)
        sys.exit(130)
