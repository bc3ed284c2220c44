import Foundation
import Repository

/// A USB bus in user space with cameras on it, whose other sides are ``Simulator``s: `Tests/Rig/USBBed/usb-bed`.
///
/// umockdev shows the bus to a program through LD_PRELOAD; libusb and libgphoto2 in it are the stock ones.
public final class USBBed {
    /// Why there can be no bed here; `nil` when there can.
    public static let obstacle: String? = {
        let isInstalled = FileManager.default.isExecutableFile(atPath: wrapper.path)
        guard isInstalled, FileManager.default.isExecutableFile(atPath: python.path) else {
            return "umockdev is not installed: apt-get install umockdev gir1.2-umockdev-1.0 python3-gi"
        }
        let check = Process()
        check.executableURL = python
        check.arguments = ["-c", "import gi; gi.require_version('UMockdev', '1.0')"]
        check.standardError = FileHandle.nullDevice
        do { try check.run() } catch { return "python3 does not run: \(error)" }
        check.waitUntilExit()
        return check.terminationStatus == 0
            ? nil : "umockdev's Python binding is missing: apt-get install gir1.2-umockdev-1.0 python3-gi"
    }()

    private static let wrapper = URL(filePath: "/usr/bin/umockdev-wrapper")
    private static let python = URL(filePath: "/usr/bin/python3")
    private static let scripts = Repository.file("Tests/Rig/USBBed")

    /// The process.
    public let program: RunningProgram
    /// A program to use as `framefast-camera`: the built one, with the bus in its view.
    public let cameraProgram: String
    /// The bed's folder: `sys` and `dev` are in there.
    public let root: String
    /// What goes before a program so that it sees the bus, also beside other programs that do.
    public let wrapper: [String]
    private let control: ControlLine

    /// Starts a bus with nothing plugged in.
    ///
    /// - Parameters:
    ///   - camera: What is behind the device of ``plug()``; other devices name their own.
    ///   - identity: vendor and product number of that camera, in hex. Unknown ones are a camera by class.
    public init(_ folder: ScratchFolder, camera: Simulator? = nil, identity: String = "1209:0001")
        async throws
    {
        control = ControlLine(name: "the USB bed", path: folder.path("bed.ctl"))
        let program = try RunningProgram(
            Self.wrapper,
            [
                Self.python.path, "-B", "-X", "faulthandler", Self.scripts.appending(path: "usb-bed").path,
                "--control",
                control.path,
                "--usb-id", identity,
            ] + (camera.map { ["--camera", "127.0.0.1:\($0.port)"] } ?? []),
            log: folder.url.appending(path: "bed.log"), wrapper: CameraPriority.wrapper,
            // umockdev's own folder goes with the test's.
            environment: ["TMPDIR": folder.url.path])
        self.program = program
        root = try await eventually("the USB bed to start: \(program.output)") {
            guard program.isRunning else { throw Impatience(description: "the bed ended: \(program.output)") }
            return program.output.split(separator: "\n").first { $0.hasPrefix("bed ") }.map {
                String($0.dropFirst(4))
            }
        }
        wrapper = [Self.python.path, "-B", Self.scripts.appending(path: "in-bed").path, root]
        cameraProgram = folder.path("framefast-camera-on-usb")
        let line = (wrapper + [Programs.path("framefast-camera").path]).map { "'\($0)'" }.joined(
            separator: " ")
        // Its device nodes and sockets are in the bed's folder, which a worker's sandbox must let through.
        try "#!/bin/sh\nexec \(line) \"$@\" --usb-bed '\(root)'\n".write(
            toFile: cameraProgram, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: cameraProgram)
    }

    deinit {
        guard !program.isRunning else { return }
        // Every camera of the test went silent with it: whoever reads the failure has to know.
        FileHandle.standardError.write(
            Data("the USB bed ended by itself (\(program.status)): \(program.output.suffix(12_000))\n".utf8))
    }

    /// Plugs the camera of the initializer in, at port `1-1`; it gets a new device number each time.
    ///
    /// - Returns: its port, for example `usb:001,004`.
    @discardableResult
    public func plug() throws -> String { try control.send("plug") }

    /// Plugs a device in at a port, for example `1-2` or `1-3.1`, which comes with its hub.
    ///
    /// - Returns: its port for libgphoto2, for example `usb:001,004`.
    @discardableResult
    public func plug(_ device: USBBedDevice, at port: String) throws -> String {
        try control.send("plug \(port) \(device.line())")
    }

    /// Sets the device at a port to another USB mode: it goes, and comes back as another one.
    ///
    /// - Returns: its new port for libgphoto2.
    @discardableResult
    public func change(_ port: String, to device: USBBedDevice) throws -> String {
        try control.send("change \(port) \(device.line())")
    }

    /// Pulls the cable.
    public func unplug(_ port: String = "1-1") throws { _ = try control.send("unplug \(port)") }

    /// Starts another program of this name (15 bytes at most) that has the device claimed.
    ///
    /// - Returns: its process id. It lets go when it ends.
    public func hold(_ port: String, by name: String) throws -> Int32 {
        guard let pid = Int32(try control.send("hold \(port) \(name)")) else {
            throw Impatience(description: "the bed gave no process")
        }
        return pid
    }

    /// Ends that program.
    public func free(_ port: String) throws { _ = try control.send("free \(port)") }

    /// Changes the permissions of the device's node; they hold for everyone but root.
    public func setMode(_ mode: Int, of port: String) throws {
        _ = try control.send("mode \(port) \(String(mode, radix: 8))")
    }

    /// What happened to a device since it was plugged in.
    public struct Stats: Hashable, Sendable {
        /// Whether a program has an interface of it claimed.
        public var isOwned: Bool
        /// Bytes that the camera sent.
        public var bytesSent: Int
        /// How often an interface was claimed.
        public var claims: Int
        /// How often a driver of the kernel's was thrown out: never, by us.
        public var detached: Int
        /// How often it was reset.
        public var resets: Int
        /// How many calls its node got: 0 when nobody ever opened it.
        public var calls: Int
    }

    /// What happened to the device at a port; all zero when there is none.
    public func stats(_ port: String = "1-1") throws -> Stats {
        var facts: [Substring: Int] = [:]
        for word in try control.send("stats \(port)").split(separator: " ") {
            let parts = word.split(separator: "=")
            if parts.count == 2 { facts[parts[0]] = Int(parts[1]) }
        }
        return Stats(
            isOwned: facts["owned"] == 1, bytesSent: facts["bytes_in"] ?? 0, claims: facts["claims"] ?? 0,
            detached: facts["detached"] ?? 0, resets: facts["resets"] ?? 0, calls: facts["calls"] ?? 0)
    }

    /// Bytes that the camera at a port sent since it was plugged in.
    public func bytesSent(_ port: String = "1-1") throws -> Int { try stats(port).bytesSent }
}
