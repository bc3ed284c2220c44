import Foundation

/// The `gphoto2` of the distribution, as an independent reference for a camera's state.
public enum StockGPhoto {
    private static let path = "/usr/bin/gphoto2"

    /// Whether gphoto2 is installed.
    public static let isInstalled = FileManager.default.isExecutableFile(atPath: path)

    /// Runs gphoto2 with a camera, in a temporary home folder and in UTC.
    ///
    /// - Parameters:
    ///   - address: The address of the camera, for example `ptpip:127.0.0.1:15740` or `usb:001,004`.
    ///   - wrapper: The command in front of gphoto2, for example to give it access to a virtual bus.
    /// - Returns: The standard output and the exit status.
    public static func run(
        _ arguments: [String], on address: String, wrapper: [String] = []
    ) throws -> (text: String, status: Int32) {
        let scratch = try ScratchFolder()
        let process = Process()
        let output = Pipe()
        // On the network, commands and events use the same port.
        let events = address.hasPrefix("ptpip:") ? address.split(separator: ":").last : nil
        let port = address + (events.map { ":\($0)" } ?? "")
        let command = wrapper + [path, "--port", port] + arguments
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
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

    /// Returns the current values of settings, by the driver's name. Reads all of them in one connection.
    ///
    /// - Throws: An error with the output, if a setting has no value.
    public static func values(
        of names: [String], on address: String, wrapper: [String] = []
    ) throws -> [String: String] {
        let arguments = names.flatMap { ["--get-config", $0] }
        let (text, _) = try run(arguments, on: address, wrapper: wrapper)
        let label = "Current: "
        let words = text.split(separator: "\n").filter { $0.hasPrefix(label) }.map {
            String($0.dropFirst(label.count))
        }
        guard words.count == names.count else {
            throw WaitTimeout(description: "gphoto2 has not read all of \(names): \(text)")
        }
        return Dictionary(zip(names, words)) { first, _ in first }
    }
}
