import Glibc
import WorkerProtocol

/// The options of a worker, from its command line: `NAME --port PORT --photos FOLDER`. The sandbox allows
/// only what they name.
struct WorkerOptions {
    /// The libgphoto2 port path of the camera: `usb:001,004` or `ptpip:192.168.1.5:15740`.
    let port: String
    /// The folder of the part files.
    let photos: String
    /// The folder of a USB emulation in user space (umockdev), or `nil` for real USB. The emulation uses
    /// local sockets in it. For tests.
    let usbEmulation: String?
    /// Whether to run the trial of the sandbox and end (`--show-confinement`).
    let isTrial: Bool

    /// Parses the arguments. Ends the program if they are not the daemon's.
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

    /// The camera's device node, for example `/dev/bus/usb/001/004`, or `nil` if it is not a USB camera.
    var node: String? {
        let numbers = port.split(separator: ":").last?.split(separator: ",") ?? []
        guard port.hasPrefix("usb:"), numbers.count == 2, numbers.allSatisfy({ Int($0) != nil }) else {
            return nil
        }
        return Self.nodes + "/\(numbers[0])/\(numbers[1])"
    }

    /// The worker's home, which persists from one worker of this camera to the next.
    static var home: String { getenv("HOME").map { String(cString: $0) } ?? "." }

    /// The folder with the nodes of all USB devices.
    static let nodes = "/dev/bus/usb"
}
