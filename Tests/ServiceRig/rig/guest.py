"""A running guest for scenarios, with a shell and a correct clock."""
import socket, time
from .machine import Machine
from .shell import Failed, Shell

# The time limit of a wait, in seconds. The guest is about ten times slower than a real computer.
PATIENCE = 120


class Guest:
    def __init__(self, image, disk, folder):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.image, self.folder = image, folder
        self.machine = Machine(image, disk, folder, port)
        self.shell = Shell(image, folder, port)
        self.run, self.status, self.put = self.shell.run, self.shell.status, self.shell.put

    def boot(self, **hardware):
        """Boots the guest and waits for a shell. hardware: the options of Machine.command."""
        self.machine.start(**hardware)
        self.machine.wait_for_console("rig: ssh answers")
        self.shell.open()

    def resume(self, state):
        """Continues from a saved state, and sets the clock."""
        self.machine.start(state)
        self.shell.open()
        self.run(f"date -s @{time.time():.3f} >/dev/null")

    def reboot(self, **hardware):
        """Shuts the guest down and boots it again."""
        self.run("sync; systemctl poweroff --no-block", status=None)
        self.shell.close()
        self.machine.wait_until_off()
        self.boot(**hardware)

    def suspend(self, seconds):
        """Suspends the guest to memory, and wakes it after some seconds. Then sets the clock.

        A timer starts the suspension a second later. The command can therefore end before the guest sleeps."""
        self.run("echo deep > /sys/power/mem_sleep; systemd-run --quiet --collect --on-active=1 --timer-property=AccuracySec=100ms "
                 "systemctl suspend -i")
        self.shell.close()
        self.machine.wait_for_status("suspended")
        # The duration of the sleep.
        time.sleep(seconds)
        self.machine.control.ask("system_wakeup")
        self.machine.wait_for_status("running")
        self.shell.open()
        self.run(f"date -s @{time.time():.3f} >/dev/null")

    def pause(self, seconds):
        """Stops the guest's processors for some seconds, like a host that sleeps. Then sets the clock."""
        self.machine.control.ask("stop")
        # The duration of the pause.
        time.sleep(seconds)
        self.machine.control.ask("cont")
        self.run(f"date -s @{time.time():.3f} >/dev/null")

    def cut_power(self):
        self.shell.close()
        self.machine.cut_power()

    def stop(self):
        self.shell.close()
        self.machine.stop()

    def until(self, command, what, seconds=PATIENCE):
        """Waits in the guest until a shell command succeeds, and returns its output."""
        loop = f"n=0; until said=$({command}\n); do n=$((n + 1)); [ $(($(cut -d. -f1 /proc/uptime) - since)) -lt {seconds} ] || exit 99; sleep 0.2; done; printf '%s' \"$said\""
        try:
            return self.run(f"since=$(cut -d. -f1 /proc/uptime); {loop}", seconds=seconds * 4 + 60)
        except Failed as failure:
            if failure.status != 99:
                raise
            raise AssertionError(f"{what} (waited {seconds} s)") from None
