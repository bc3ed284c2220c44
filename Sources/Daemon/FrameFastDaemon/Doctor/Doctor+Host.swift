import Cameras
import FrameFastAPI
import FrameFastSystem
import Glibc

/// The computer, as the doctor sees it: rule, group, disk, clock, network.
extension Doctor {
    /// The rule that lets the service's user open cameras.
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
            sentence: "The rule that gives group framefast access to cameras is not installed.",
            steps: [
                "Copy it: sudo cp udev/\(name) /etc/udev/rules.d/",
                "Load it: sudo udevadm control --reload", "Plug the camera in again.",
            ])
    }

    /// The group whose members may control the service.
    func group() -> Check {
        guard getgrnam("framefast") == nil else {
            return Check(id: "group", title: "Group", verdict: .ok, sentence: "Group framefast is there.")
        }
        return Check(
            id: "group", title: "Group", verdict: .info,
            sentence: "There is no group framefast: only root and the service's own user have control.",
            steps: [
                "Create it: sudo groupadd --system framefast", "Join it: sudo usermod -aG framefast $USER",
            ])
    }

    /// The computer's clock: photos are held against it.
    func clock() -> Check { Self.clock(isKept: HostClock.isSynchronised) }

    /// - Parameter isKept: Whether something keeps the clock right; `nil` when the kernel does not say: the service's sandbox
    ///   (`ProtectClock=yes`) hides it.
    static func clock(isKept: Bool?) -> Check {
        let (verdict, sentence, steps): (DiagnosisReply.Verdict, String, [String]) =
            switch isKept {
            case true?: (.ok, "The clock is kept right by the network.", [])
            case false?:
                (
                    .info, "The clock is not kept right by the network; camera clocks are compared with it.",
                    ["Switch time synchronisation on: sudo timedatectl set-ntp true"]
                )
            case nil:
                (
                    .info, "Whether the clock is kept right cannot be seen from here.",
                    ["Look with: timedatectl"]
                )
            }
        return Check(id: "clock", title: "Clock", verdict: verdict, sentence: sentence, steps: steps)
    }

    /// The host's networks, for cameras there.
    func network() -> Check {
        let networks = HostNetworks.current().networks.filter { !$0.address.isLoopback }
        guard !networks.isEmpty else {
            return Check(
                id: "network", title: "Network", verdict: .info,
                sentence: "This computer is on no network: only cameras on the USB can be used.")
        }
        let list = networks.map { "\($0.key) (\($0.interface))" }.joined(separator: ", ")
        return Check(id: "network", title: "Network", verdict: .ok, sentence: "On \(list).")
    }
}
