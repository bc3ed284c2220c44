import Foundation

/// The `gphoto2` of the distribution, as an independent reference for a camera's state.
public enum StockGPhoto {
    private static let path = "/usr/bin/gphoto2"

    /// Whether gphoto2 is installed.
    public static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

    /// Runs gphoto2 with a camera on the network, in a temporary home folder and in UTC.
    ///
    /// - Parameter address: The address of the camera, for example `ptpip:127.0.0.1:15740`.
    /// - Returns: The standard output and the exit status.
    public static func run(
        _ arguments: [String], on address: String
    ) throws -> (text: String, status: Int32) {
        let scratch = try ScratchFolder()
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        // Commands and events use the same port.
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
