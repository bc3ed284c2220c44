import Dispatch
import Foundation

/// The `gphoto2` of the distribution, run in a temporary directory.
final class StockDriver {
    /// Whether gphoto2 is installed.
    static let isInstalled = FileManager.default.isExecutableFile(atPath: path)
    private static let path = "/usr/bin/gphoto2"
    /// The maximum duration of a run, in seconds.
    private static let timeoutSeconds = 60

    let directory: URL
    private let port: UInt16

    init(port: UInt16) throws {
        self.port = port
        directory = FileManager.default.temporaryDirectory.appending(path: "simcam-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory.appending(path: "photos"), withIntermediateDirectories: true)
        // Photos must go to the card, because photos in the memory of an EOS or Nikon have no file name.
        let settings = directory.appending(path: ".gphoto")
        try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
        try "ptp2=capturetarget=card\n"
            .write(to: settings.appending(path: "settings"), atomically: true, encoding: .utf8)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Returns the fetched files, by name.
    func photos() throws -> [String: [UInt8]] {
        let folder = directory.appending(path: "photos")
        var found: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            found[name] = Array(try Data(contentsOf: folder.appending(path: name)))
        }
        return found
    }

    /// The exit status of the last run. 0 means success.
    private(set) var status: Int32 = 0

    /// Runs gphoto2 and returns its output.
    func run(_ arguments: String...) throws -> String { try run(arguments) }

    /// Runs gphoto2 and returns its output.
    func run(_ arguments: [String]) throws -> String {
        let process = try start(arguments)
        process.waitUntilExit()
        status = process.terminationStatus
        return String(decoding: try Data(contentsOf: log), as: UTF8.self)
    }

    /// Starts gphoto2, and kills it if it runs too long.
    func start(_ arguments: [String]) throws -> Process {
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let output = try FileHandle(forWritingTo: log)
        let process = Process()
        process.executableURL = URL(filePath: Self.path)
        process.arguments = ["--port", "ptpip:127.0.0.1:\(port):\(port)"] + arguments
        process.currentDirectoryURL = directory.appending(path: "photos")
        process.environment = ["HOME": directory.path, "LC_ALL": "C", "PATH": "/usr/bin:/bin"]
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let pid = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.timeoutSeconds)) {
            [weak process] in
            if process?.isRunning == true { kill(pid, SIGKILL) }
        }
        return process
    }

    private var log: URL { directory.appending(path: "log") }
}
