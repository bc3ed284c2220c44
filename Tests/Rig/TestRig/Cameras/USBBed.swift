import Foundation
import Repository

/// A virtual USB bus in user space: `Tests/Rig/USBBed/usb-bed`.
///
/// Each camera on the bus is a ``Simulator``. umockdev shows the bus to a program through LD_PRELOAD. The
/// program uses unmodified libusb and libgphoto2.
public final class USBBed {
    /// The reason why the bus can't run here, or `nil` if it can.
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

    /// The process of the bus.
    public let program: RunningProgram
    /// A replacement for `framefast-camera`: the built program, with access to the bus.
    public let cameraProgram: String
    /// The folder that contains the `sys` and `dev` folders of the bus.
    public let root: String
    /// The command in front of a program that gives it access to the bus. Several programs can use the bus at
    /// the same time.
    public let wrapper: [String]
    private let control: ControlSocketClient

    /// Starts a bus without devices.
    ///
    /// - Parameters:
    ///   - camera: The camera behind the device of ``plug()``. Other devices name their own camera.
    ///   - identity: The vendor and product number of that camera, in hexadecimal. FrameFast detects
    ///     a camera with an unknown number by its USB class.
    public init(_ folder: ScratchFolder, camera: Simulator? = nil, identity: String = "1209:0001")
        async throws
    {
        control = ControlSocketClient(name: "the USB bed", path: folder.path("bed.ctl"))
        let program = try RunningProgram(
            Self.wrapper,
            [
                Self.python.path, "-B", "-X", "faulthandler", Self.scripts.appending(path: "usb-bed").path,
                "--control",
                control.path,
                "--usb-id", identity,
            ] + (camera.map { ["--camera", "127.0.0.1:\($0.port)"] } ?? []),
            log: folder.url.appending(path: "bed.log"), wrapper: CameraPriority.wrapper,
            // umockdev creates its folder in the test's folder, which is deleted after the test.
            environment: ["TMPDIR": folder.url.path])
        self.program = program
        root = try await eventually("the USB bed to start: \(program.output)") {
            guard program.isRunning else {
                throw WaitTimeout(description: "the bed ended: \(program.output)")
            }
            return program.output.split(separator: "\n").first { $0.hasPrefix("bed ") }.map {
                String($0.dropFirst(4))
            }
        }
        wrapper = [Self.python.path, "-B", Self.scripts.appending(path: "in-bed").path, root]
        cameraProgram = folder.path("framefast-camera-on-usb")
        let line = (wrapper + [Programs.path("framefast-camera").path]).map { "'\($0)'" }.joined(
            separator: " ")
        // A worker's sandbox must permit access to the device nodes and sockets in the bus's folder.
        try "#!/bin/sh\nexec \(line) \"$@\" --usb-bed '\(root)'\n".write(
            toFile: cameraProgram, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: cameraProgram)
    }

    deinit {
        guard !program.isRunning else { return }
        // All cameras of the test stop responding when the bus ends. The failure report must contain this
        // event.
        FileHandle.standardError.write(
            Data("the USB bed ended (\(program.status)): \(program.output.suffix(12_000))\n".utf8))
    }

    /// Plugs in the camera of the initializer at port `1-1`. The camera has a new device number each time.
    ///
    /// - Returns: The port for libgphoto2, for example `usb:001,004`.
    @discardableResult
    public func plug() throws -> String { try control.send("plug") }

    /// Plugs in a device at a port, for example `1-2`, or `1-3.1` together with its hub.
    ///
    /// - Returns: The port for libgphoto2, for example `usb:001,004`.
    @discardableResult
    public func plug(_ device: USBBedDevice, at port: String) throws -> String {
        try control.send("plug \(port) \(device.line())")
    }

    /// Changes the USB mode of a device: unplugs the device, and plugs in `device` at the same port.
    ///
    /// - Returns: The new port for libgphoto2.
    @discardableResult
    public func change(_ port: String, to device: USBBedDevice) throws -> String {
        try control.send("change \(port) \(device.line())")
    }

    /// Unplugs a device.
    public func unplug(_ port: String = "1-1") throws { _ = try control.send("unplug \(port)") }

    /// Starts another program that claims the device. The program's name may have at most 15 bytes.
    ///
    /// - Returns: The process ID. The program releases the device when it ends.
    public func hold(_ port: String, by name: String) throws -> Int32 {
        guard let pid = Int32(try control.send("hold \(port) \(name)")) else {
            throw WaitTimeout(description: "the USB bed returned no process id")
        }
        return pid
    }

    /// Ends the program that ``hold(_:by:)`` started.
    public func free(_ port: String) throws { _ = try control.send("free \(port)") }

    /// Changes the permissions of the device node. Permissions don't restrict root.
    public func setMode(_ mode: Int, of port: String) throws {
        _ = try control.send("mode \(port) \(String(mode, radix: 8))")
    }

    /// Counters of a device since it was plugged in.
    public struct Stats: Hashable, Sendable {
        /// Whether a program has claimed an interface.
        public var isOwned: Bool
        /// The number of bytes from the camera.
        public var bytesSent: Int
        /// The number of claims of an interface.
        public var claims: Int
        /// The number of detached kernel drivers. FrameFast never detaches a driver.
        public var detached: Int
        /// The number of resets.
        public var resets: Int
        /// The number of calls on the device node; 0 if no program ever opened it.
        public var calls: Int
    }

    /// Returns the counters of the device at a port; all zero without a device.
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

    /// Returns the number of bytes that the camera at a port sent since it was plugged in.
    public func bytesSent(_ port: String = "1-1") throws -> Int { try stats(port).bytesSent }
}
