"""The scenarios in the guest, with a file for each topic. A scenario is a function with one argument, a `Bed`.

The first line of its docstring is its title. "Seen on" names the commit in which the scenario found a defect.
"""
from . import (
    attached, awake, boots, capture_folders, consistency, desktop, disks, documents, installed, isolation, logs, many,
    modes, newcomer, operations, package, people, power, release, restarts, sleep, supervision, unplugged, web)

# In the order in which they run.
ALL = {
    function.__name__.replace("_", "-"): function
    for function in [
        installed.installed, installed.hardened, installed.rules,
        boots.first_boot, boots.reboots, boots.boot_plugged_in, boots.boot_without_usb, boots.sandbox_without_usb,
        attached.canon, attached.nikon, attached.generic, attached.qemu_mtp, attached.replug,
        modes.sony_mode, modes.sony_two_arrays, modes.sony_memory, modes.canon_mode,
        desktop.gvfs, isolation.isolation, isolation.worker_isolation, isolation.strangers,
        people.members, people.doctors, people.user_service, web.web_computer, web.web_lan, logs.journal, awake.awake, sleep.resumed, sleep.paused,
        many.equal_serials, many.long_listing,
        disks.foreign_disks, supervision.killed, supervision.frozen, supervision.open_shutter, restarts.hard_reset, power.power_cuts,
        operations.sony_movie, unplugged.unplugged_nameless, unplugged.unplugged_sony,
        operations.interval_complete, operations.interval_lost_event, operations.interval_restart, operations.interval_reboot,
        consistency.doctor_conditions, consistency.doctor_names, capture_folders.accepted_folders, consistency.changed_settings,
        package.purge_settings,
        newcomer.newcomer_first_photo, newcomer.newcomer_folder, newcomer.newcomer_preset, newcomer.newcomer_upload, newcomer.newcomer_package,
        package.upgrade, release.release_upgrade, package.purge, documents.documents,
    ]
}

# These scenarios start in a fresh guest, and no other scenario can use the guest afterwards.
ALONE = {"first-boot", "reboots", "boot-plugged-in", "boot-without-usb", "sandbox-without-usb", "interval-reboot",
         "accepted-folders", "purge-settings", "hard-reset",
         "newcomer-first-photo", "newcomer-folder", "newcomer-preset", "newcomer-upload", "newcomer-package", "release-upgrade", "resumed", "upgrade",
         "purge", "documents"}


def title(name):
    """Returns a scenario's title: the first line of its docstring."""
    return ALL[name].__doc__.strip().splitlines()[0]
