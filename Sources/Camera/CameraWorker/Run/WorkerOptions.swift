import Glibc
import WorkerProtocol

/// The command-line options of a worker: `CAMERA-ID --port PORT --photos FOLDER`. In the sandbox, the
/// worker can write only to this folder and its home folder, and can't open other cameras' device nodes.
struct WorkerOptions {
    /// The libgphoto2 port path of the camera: `usb:001,004` or `ptpip:192.168.1.5:15740`.
    let port: String
    /// The folder for part files.
    let photos: String
    /// The folder of a USB emulation in user space (umockdev), or `nil` for real USB. The emulation uses
    /// local sockets in this folder. For tests only.
    let usbEmulation: String?
    /// Whether to run the sandbox trial and then exit (`--show-confinement`).
    let isTrial: Bool

    /// Parses the arguments. Exits if a required option is missing.
    init(_ arguments: [String]) {
        func value(_ option: String) -> String? {
            guard let index = arguments.firstIndex(of: option), index + 1 < arguments.count else {
                return nil
            }
            return arguments[index + 1]
        }
        guard let port = value(WorkerArguments.port), let photos = value(WorkerArguments.photos) else {
            Log.line("cannot be run manually: framefastd starts this program for each camera")
            _exit(WorkerExit.usage)
        }
        self.port = port
        self.photos = photos
        usbEmulation = value("--usb-bed")
        isTrial = arguments.contains("--show-confinement")
    }

    /// Whether the camera is a network camera.
    var isOnNetwork: Bool { port.hasPrefix("ptpip:") }

    /// The camera's device node, for example `/dev/bus/usb/001/004`, or `nil` if the port does not name a USB
    /// device.
    var node: String? {
        let numbers = port.split(separator: ":").last?.split(separator: ",") ?? []
        guard port.hasPrefix("usb:"), numbers.count == 2, numbers.allSatisfy({ Int($0) != nil }) else {
            return nil
        }
        return Self.nodes + "/\(numbers[0])/\(numbers[1])"
    }

    /// The worker's home folder. All workers of this camera use the same home folder.
    static var home: String { getenv("HOME").map { String(cString: $0) } ?? "." }

    /// The folder that contains the nodes of all USB devices.
    static let nodes = "/dev/bus/usb"
}
