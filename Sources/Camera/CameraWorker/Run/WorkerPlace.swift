import Glibc
import WorkerProtocol

/// What one worker is for, from its arguments: `NAME --port PORT --photos FOLDER`. The sandbox is cut to that.
struct WorkerPlace {
    /// libgphoto2's port path of the one camera: `usb:001,004` or `ptpip:192.168.1.5:15740`.
    let port: String
    /// Folder of the part files.
    let photos: String
    /// Where the USB is one in user space (umockdev), its folder: it speaks over local sockets there. For tests.
    let bed: String?
    /// `--show-confinement`: try what must not be possible, say what came of it, and end.
    let isTrial: Bool

    /// Reads the arguments; ends the program when they are not what the daemon gives.
    init(_ arguments: [String]) {
        func value(_ option: String) -> String? {
            guard let index = arguments.firstIndex(of: option), index + 1 < arguments.count else {
                return nil
            }
            return arguments[index + 1]
        }
        guard let port = value(WorkerArguments.port), let photos = value(WorkerArguments.photos) else {
            Log.line("cannot run by hand: framefastd starts this program, one for each camera")
            _exit(WorkerExit.usage)
        }
        self.port = port
        self.photos = photos
        bed = value("--usb-bed")
        isTrial = arguments.contains("--show-confinement")
    }

    /// Whether the camera is on the network.
    var isOnNetwork: Bool { port.hasPrefix("ptpip:") }

    /// The camera's own node, `/dev/bus/usb/001/004`; `nil` for one that is not on the USB.
    var node: String? {
        let numbers = port.split(separator: ":").last?.split(separator: ",") ?? []
        guard port.hasPrefix("usb:"), numbers.count == 2, numbers.allSatisfy({ Int($0) != nil }) else {
            return nil
        }
        return Self.nodes + "/\(numbers[0])/\(numbers[1])"
    }

    /// The folder that is the worker's own, from one worker of this camera to the next.
    static var home: String { getenv("HOME").map { String(cString: $0) } ?? "." }

    /// Where the nodes of all devices on the USB are.
    static let nodes = "/dev/bus/usb"
}
