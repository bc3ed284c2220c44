import Cameras
import FrameFastAPI
import FrameFastSystem
import Glibc

/// The computer, as the doctor sees it: driver, rule, group, disk, clock, network.
extension Doctor {
    /// libgphoto2, and what is known to be wrong with its version.
    func driver() -> Check {
        guard let version = WorkerSettings.libraryVersion else {
            return Check(
                id: "libgphoto2", title: "Camera driver", verdict: .danger,
                sentence: "libgphoto2's driver ptp2 is not installed: no camera can be opened.",
                steps: ["Install it: sudo apt install libgphoto2-6"])
        }
        let faults = DriverFaults.known(in: version)
        return Check(
            id: "libgphoto2", title: "Camera driver", verdict: faults.isEmpty ? .ok : .info,
            sentence: (["libgphoto2 \(version) is installed."] + faults).joined(separator: " "))
    }

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
            steps: ["Make it: sudo groupadd --system framefast", "Join it: sudo usermod -aG framefast $USER"])
    }

    /// Room for photos.
    func disk() -> Check {
        room(
            id: "disk", title: "Disk", directory: configuration.capture.directory,
            needBytes: configuration.capture.minFreeBytes, what: "photos")
    }

    /// Room for the ledger.
    func state() -> Check {
        room(
            id: "state", title: "State", directory: configuration.stateDirectory,
            needBytes: Self.stateBytesMin, what: "the ledger")
    }

    /// The ledger and its log stay far below this.
    private static let stateBytesMin: Int64 = 64 * 1024 * 1024

    private func room(
        id: String, title: String, directory: String, needBytes: Int64, what: String
    ) -> Check {
        // Before the first start it is not there yet: its nearest folder is the disk that it will be on.
        var place = directory
        while access(place, F_OK) != 0, place != "/" {
            place = place.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            if place.isEmpty { place = "/" }
        }
        var facts = statvfs()
        guard statvfs(place, &facts) == 0 else {
            return Check(
                id: id, title: title, verdict: .danger,
                sentence: "\(directory) cannot be looked at: \(String(cString: strerror(errno))).",
                steps: ["Check the path in the configuration."])
        }
        guard access(place, W_OK) == 0 else {
            return Check(
                id: id, title: title, verdict: .danger,
                sentence: "\(what.capitalizedFirst) cannot be written to \(directory) by this user.",
                steps: ["Give the service's user the directory: sudo chown framefast: \(directory)"])
        }
        let free = Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
        let text = "\(ByteSizeText.text(of: free)) are free for \(what) in \(directory)."
        return free >= needBytes
            ? Check(id: id, title: title, verdict: .ok, sentence: text)
            : Check(
                id: id, title: title, verdict: .danger,
                sentence: text + " At least \(ByteSizeText.text(of: needBytes)) are needed.",
                steps: ["Free some space, or choose another disk in the configuration."])
    }

    /// The computer's clock: photos are held against it.
    func clock() -> Check {
        HostClock.isSynchronised != false
            ? Check(
                id: "clock", title: "Clock", verdict: .ok, sentence: "The clock is kept right by the network."
            )
            : Check(
                id: "clock", title: "Clock", verdict: .info,
                sentence: "The clock is not kept right by the network; camera clocks are compared with it.",
                steps: ["Switch time synchronisation on: sudo timedatectl set-ntp true"])
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

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
