"""What is proven in the guest, one idea a file. A scenario is a function of the bed; its first line is its title."""
from . import attached, desktop, disks, documents, installed, isolation, many, modes, package, people, power, restarts, supervision, telling

# In the order in which they run; what comes after `purge` finds no service: `documents` begins with that.
ALL = {
    function.__name__.replace("_", "-"): function
    for function in [
        installed.installed, installed.hardened, installed.clock, installed.rules,
        attached.canon, attached.nikon, attached.generic, attached.qemu_mtp, attached.replug,
        modes.sony_mode, modes.sony_two_arrays, modes.sony_memory, modes.canon_mode,
        desktop.gvfs, isolation.isolation, isolation.worker_isolation, isolation.strangers,
        people.members, people.page, people.doctors, people.own_service, telling.journal,
        many.equal_serials, many.usb_memory, many.long_listing,
        disks.foreign_disks, supervision.killed, supervision.frozen, supervision.open_shutter, supervision.memory,
        restarts.hard_reset, power.power_cuts,
        package.upgrade, package.purge, documents.documents,
    ]
}
