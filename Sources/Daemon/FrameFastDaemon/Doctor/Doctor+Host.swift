import Cameras
import FrameFastAPI
import FrameFastSystem
import Glibc

/// Checks of the computer: udev rule, group, clock and network.
extension Doctor {
    /// Checks the udev rule that lets the service's user open cameras.
    func udevRule() -> Check {
        let name = "60-framefast.rules"
        let found = ["/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d"]
            .map { $0 + "/" + name }.first { access($0, F_OK) == 0 }
        if let found {
            return Check(
                id: "udev-rule", title: "udev rule", verdict: .ok, sentence: "\(found) is installed.")
        }
        return Check(
            id: "udev-rule", title: "udev rule", verdict: getuid() == 0 ? .info : .warning,
            sentence: "The udev rule that gives group framefast access to cameras is not installed.",
            steps: [
                "Copy the rule: sudo cp udev/\(name) /etc/udev/rules.d/",
                "Load the rule: sudo udevadm control --reload", "Reconnect the camera.",
            ])
    }

    /// Returns a check with the limits of a system without udev, or `nil` if udev runs.
    ///
    /// udev announces the devices that are plugged in and unplugged. Containers usually run no udev and do
    /// not receive the host's announcements (libusb/libusb#559, moby/moby#35359).
    ///
    /// - Parameter isRunning: Whether udev runs. The default checks `/run/udev/control`, as libudev does.
    static func hotplug(isRunning: Bool = access("/run/udev/control", F_OK) == 0) -> Check? {
        guard !isRunning else { return nil }
        return Check(
            id: "udev", title: "udev", verdict: .info,
            sentence:
                "udev does not run on this system. This is usual in a container. FrameFast does not see when a USB camera is "
                + "plugged in or unplugged.",
            steps: [
                "Restart FrameFast each time after you plug in a USB camera.",
                "To avoid the restarts, install FrameFast outside the container.",
            ])
    }

    /// Checks the group whose members may control the service.
    func group() -> Check {
        guard getgrnam("framefast") == nil else {
            return Check(id: "group", title: "Group", verdict: .ok, sentence: "Group framefast exists.")
        }
        return Check(
            id: "group", title: "Group", verdict: .info,
            sentence: "Group framefast does not exist: only root and the service's user have control.",
            steps: [
                "Create the group: sudo groupadd --system framefast",
                "Join the group: sudo usermod -aG framefast $USER",
            ])
    }

    /// Checks the computer's clock, with which camera clocks are compared.
    func clock() -> Check { Self.clock(isKept: HostClock.isSynchronized) }

    /// - Parameter isKept: Whether the clock is synchronized, or `nil` if unknown.
    static func clock(isKept: Bool?) -> Check {
        let (verdict, sentence, steps): (DiagnosisReply.Level, String, [String]) =
            switch isKept {
            case true?: (.ok, "The clock is synchronized over the network.", [])
            case false?:
                (
                    .info,
                    "The clock is not synchronized over the network. FrameFast compares camera clocks with this computer's clock.",
                    ["Turn on time synchronization: sudo timedatectl set-ntp true"]
                )
            case nil:
                (
                    .info, "Cannot check whether the clock is synchronized.",
                    ["Check with: timedatectl"]
                )
            }
        return Check(id: "clock", title: "Clock", verdict: verdict, sentence: sentence, steps: steps)
    }

    /// Checks the networks of this computer, for network cameras.
    func network() -> Check {
        Self.network(.current(), steps: HostNetworks.current(withIdle: true).stepsForSharedNetworks())
    }

    /// - Parameter steps: The steps for networks that several interfaces have in common.
    static func network(_ host: HostNetworks, steps: [String]) -> Check {
        let networks = host.networks.filter { !$0.address.isLoopback }
        guard !networks.isEmpty else {
            return Check(
                id: "network", title: "Network", verdict: .info,
                sentence: "This computer is not on a network: you can use only USB cameras.")
        }
        let list = networks.map { "\($0.key) (\($0.interface))" }.joined(separator: ", ")
        return Check(
            id: "network", title: "Network", verdict: steps.isEmpty ? .ok : .info,
            sentence: "This computer is on \(list).", steps: steps)
    }
}
