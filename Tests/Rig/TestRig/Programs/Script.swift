public import ChildProcesses
public import Foundation

/// A real script in a temporary folder.
public struct Script: Sendable {
    /// The folder that contains the script and its output. ``settings(_:timeoutSeconds:)`` passes its path in
    /// the variable `OUT`.
    public let folder: URL
    /// The script file.
    public var file: URL { folder.appending(path: "script") }

    /// Installs a script.
    ///
    /// - Parameter body: The lines of the script, for bash.
    public init(_ body: String, mode: Int = 0o755) throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "ffscript-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = folder.appending(path: "script.text")
        try Data("#!/bin/bash\n\(body)\n".utf8).write(to: text)
        // A separate process writes the file, because the kernel refuses to execute a file that is open for
        // writing (ETXTBSY). A child of another test could inherit an open descriptor of this process.
        let install = try Process.run(
            URL(filePath: "/usr/bin/install"),
            arguments: ["-m", String(mode, radix: 8), text.path, file.path])
        install.waitUntilExit()
        guard install.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
        try FileManager.default.removeItem(at: text)
    }

    /// Deletes the folder with the script and its output.
    public func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Returns the settings for running the script. Exit status 11 requests a retry.
    public func settings(_ arguments: [String] = [], timeoutSeconds: Double = 120) -> CommandSettings {
        CommandSettings(
            program: file.path, arguments: arguments, timeoutSeconds: timeoutSeconds, retryCodes: [11],
            environment: ["OUT": folder.path])
    }

    /// Returns the content of a file that the script wrote.
    public func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
}
