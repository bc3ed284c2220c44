import Foundation

/// A USB bus in user space with one camera on it, whose other side is a ``Simulator``: `Tests/USBBed/usb-bed`.
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

    /// The process.
    public let program: RunningProgram
    /// A program to use as `framefast-camera`: the built one, with the bus in its view.
    public let cameraProgram: String
    private let control: ControlLine

    /// Starts a bus with nothing plugged in.
    ///
    /// - Parameter identity: vendor and product number of the camera, in hex. Unknown ones are a camera by class.
    public init(_ folder: ScratchFolder, camera: Simulator, identity: String = "1209:0001") async throws {
        control = ControlLine(name: "the USB bed", path: folder.path("bed.ctl"))
        let bed = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "USBBed/usb-bed")
        let program = try RunningProgram(
            Self.wrapper,
            [
                Self.python.path, "-B", bed.path, "--camera", "127.0.0.1:\(camera.port)", "--control",
                control.path,
                "--usb-id", identity,
            ], log: folder.url.appending(path: "bed.log"),
            // umockdev's own folder goes with the test's.
            environment: ["TMPDIR": folder.url.path])
        self.program = program
        let root = try await eventually("the USB bed to start: \(program.output)") {
            guard program.isRunning else { throw Impatience(description: "the bed ended: \(program.output)") }
            return program.output.split(separator: "\n").first { $0.hasPrefix("bed ") }?.dropFirst(4)
        }
        cameraProgram = folder.path("framefast-camera-on-usb")
        let script = """
            #!/bin/sh
            UMOCKDEV_DIR='\(root)' exec \(Self.wrapper.path) '\(Programs.path("framefast-camera").path)' "$@"

            """
        try script.write(toFile: cameraProgram, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: cameraProgram)
    }

    /// Plugs the camera in; it gets a new device number each time.
    ///
    /// - Returns: its port, for example `usb:001,004`.
    @discardableResult
    public func plug() throws -> String { try control.send("plug") }

    /// Pulls the cable.
    public func unplug() throws { _ = try control.send("unplug") }

    /// Bytes that the camera sent since it was plugged in.
    public func bytesSent() throws -> Int {
        let words = try control.send("stats").split(separator: " ")
        return words.first { $0.hasPrefix("bytes_in=") }.flatMap { Int($0.dropFirst(9)) } ?? 0
    }
}
