"""Sentences about problems that stop the rig, each with a next step."""
import dataclasses

GIB = 1 << 30
# The space for an image and the tree that it is built from.
IMAGE_BYTES = 5 * GIB
# The space for a saved guest, its disk, and the files of a run.
RUN_BYTES = 6 * GIB
# The memory of a guest (1 GiB) and of QEMU itself.
MEMORY_BYTES = 1536 << 20

# Messages on the console of a guest that does not boot, with their meanings. The first match is used.
BOOT = [
    ("Unable to mount root", "its kernel cannot mount the disk: delete {image} and start again, which builds a new one"),
    ("No working init found", "its disk has no init: delete {image} and start again, which builds a new one"),
    ("insmod: can't", "a module of its initrd does not load: Tests/ServiceRig/rig/kernel.py names the modules; the first lines below say which one"),
    ("Out of memory", "its 1 GiB of memory is used up: the lines below name the program"),
    ("Kernel panic", "its kernel stopped: the lines below say why"),
    ("emergency mode", "systemd gave up: the lines below name the unit; --keep-files keeps the disk"),
    ("ssh.service: Failed", "its ssh server does not start: the lines below say why"),
]


def boot(console, seconds, image, kvm=False):
    """Returns why a guest did not boot, from the output of its serial console."""
    lines = console.strip().splitlines()
    tail = "\n".join(lines[-15:])
    for words, meaning in BOOT:
        if words in console:
            return f"the guest does not boot: {meaning.format(image=image)}.\n{tail}"
    if kvm:
        return f"the guest did not come up under KVM in {seconds} s: leave --kvm out. On some virtual computers, KVM can be opened and never runs a guest.\n{tail}"
    if not lines:
        return f"the guest printed nothing in {seconds} s: QEMU cannot enter its kernel, or this computer is very busy. Try again; then delete {image}."
    return f"the guest did not come up in {seconds} s: try again when this computer has less to do, or allow more time with --patience 3.\n{tail}"


def ended(log, kvm=False):
    """Returns a sentence for a QEMU that ended unexpectedly, from its output."""
    said = " ".join(log.strip().splitlines()[-3:]) or "it printed nothing; 'dmesg' says whether the kernel killed it because memory was short"
    return f"QEMU ended unexpectedly: {said}" + (". Leave --kvm out: this computer does not run guests under KVM." if kvm else "")


def power_off(seconds, console):
    """Returns a sentence for a guest that does not shut down."""
    tail = "\n".join(console.strip().splitlines()[-15:])
    return f"the guest did not switch itself off in {seconds} s: a service does not stop. --shell opens a guest; 'systemctl list-jobs' names the service.\n{tail}"


def status(wanted, now, seconds, console):
    """Returns a sentence for a guest that does not reach a status of QEMU."""
    tail = "\n".join(console.strip().splitlines()[-15:])
    return f"the guest is '{now}' and not '{wanted}' after {seconds} s: a driver or a service prevents it. --shell opens a guest; 'journalctl -k -b' names the driver.\n{tail}"


def without_usb(release, said):
    """Returns a sentence for a guest whose kernel has no virtual USB."""
    return (f"the guest's kernel {release} has no virtual USB (module vhci-hcd): no camera can be plugged in. The rig needs Debian's linux-image-amd64; "
            f"kernels for clouds come without USB. modprobe says: {said.strip()}")


@dataclasses.dataclass
class Host:
    """The resources of a computer that matter to the rig."""
    missing: list
    is_root: bool
    free_bytes: dict
    memory_bytes: int
    # Whether /dev/kvm can be opened.
    kvm: bool


def host(facts, builds_image, kvm):
    """Returns the reasons why the rig cannot start on a computer, one sentence each.

    builds_image: whether a base image must be built. kvm: whether KVM is requested."""
    if facts.missing:
        yield f"cannot find {', '.join(facts.missing)}: run scripts/prepare --rig as root."
    if builds_image and not facts.is_root:
        yield "building the guest's image needs root: run the rig with sudo."
    for place, free in facts.free_bytes.items():
        needed = RUN_BYTES + (IMAGE_BYTES if builds_image else 0)
        if free < needed:
            yield f"{place} has {free / GIB:.1f} GiB free, and the rig needs {needed / GIB:.0f} GiB: free some, or set FRAMEFAST_RIG_CACHE to a folder on another disk."
    if facts.memory_bytes < MEMORY_BYTES:
        yield f"{facts.memory_bytes >> 20} MiB of memory are free, and a guest needs {MEMORY_BYTES >> 20} MiB: end other programs."
    if kvm and not facts.kvm:
        yield "/dev/kvm cannot be opened here: leave --kvm out. Software emulation takes ten times as long and gives the same results."
