import Foundation

/// The stock `gphoto2` of the system: what it says of a camera is a second opinion.
public enum StockGPhoto {
    private static let path = "/usr/bin/gphoto2"

    /// Whether the program is there.
    public static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

    /// Runs it with a camera on the network, in a home of its own and in UTC.
    ///
    /// - Parameter address: The camera: `ptpip:127.0.0.1:15740`.
    /// - Returns: what it printed on standard output, and its exit status.
    public static func run(
        _ arguments: [String], on address: String
    ) throws -> (text: String, status: Int32) {
        let scratch = try ScratchFolder()
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        // Commands and events come on the same port.
        let port = address.split(separator: ":").last ?? ""
        process.arguments = ["--port", "\(address):\(port)"] + arguments
        process.environment = [
            "HOME": scratch.url.path, "LC_ALL": "C", "PATH": "/usr/bin:/bin", "TZ": "UTC",
        ]
        process.currentDirectoryURL = scratch.url
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }
}
