import FrameFastAPI
import Glibc
import USBTopology

/// The program that has a camera.
struct CameraHolder: Equatable {
    var pid: Int32
    /// The command's name, 15 bytes at most.
    var name: String
    /// Name of the user that runs it, or the number where it has none.
    var user: String
    /// Whether that is who asks.
    var isOwn: Bool

    /// What the desktop opens a camera with: one process a camera, which ends when the camera is unmounted.
    static let desktopPrograms: Set = ["gvfsd-gphoto2", "gvfsd-mtp"]
    /// The service's own.
    static let worker = "framefast-camera"

    var isDesktop: Bool { Self.desktopPrograms.contains(name) }

    /// For a sentence: `darktable (process 4321 of ann)`.
    var words: String { "\(name) (process \(pid) of \(user))" }

    /// The program that has a node open, as far as this process may see; the service's workers do not count.
    static func find(_ node: USBNode) -> CameraHolder? {
        NodeUser.all(of: node.path).lazy.filter { $0.name != worker }.map { user in
            CameraHolder(
                pid: user.pid, name: user.name, user: userName(user.userID), isOwn: user.userID == geteuid())
        }.first
    }

    private static func userName(_ id: UInt32) -> String {
        getpwuid(id).map { String(cString: $0.pointee.pw_name) } ?? "user \(id)"
    }
}

/// Where a camera is on the USB, by bus and device number.
struct USBNode: Equatable {
    private let bus: Substring
    private let number: Substring

    /// - Parameter port: As the API has it: `usb:001,004`; `nil` for everything else.
    init?(port: String) {
        let parts = port.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
        guard parts.first == "usb", numbers.count == 2,
            numbers.allSatisfy({ $0.count == 3 && $0.allSatisfy { $0.isASCII && $0.isNumber } })
        else { return nil }
        (bus, number) = (numbers[0], numbers[1])
    }

    /// The device's file.
    var path: String { "/dev/bus/usb/\(bus)/\(number)" }
    /// As gvfs has it in the address of a camera that it knows by its place.
    var place: String { "[usb:\(bus),\(number)]" }
}
