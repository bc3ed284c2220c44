public import ChildProcesses
public import Foundation

/// A real script in a folder of its own.
public struct Script: Sendable {
    /// Where it is, and what it writes with `$OUT`.
    public let folder: URL
    /// The program.
    public var file: URL { folder.appending(path: "script") }

    /// Installs a script.
    ///
    /// - Parameter body: Its lines, for bash.
    public init(_ body: String, mode: Int = 0o755) throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "ffscript-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = folder.appending(path: "script.text")
        try Data("#!/bin/bash\n\(body)\n".utf8).write(to: text)
        // Another program writes it: a child that another test starts meanwhile would hold our descriptor, and the
        // kernel runs nothing that is open for writing (ETXTBSY).
        let install = try Process.run(
            URL(filePath: "/usr/bin/install"),
            arguments: ["-m", String(mode, radix: 8), text.path, file.path])
        install.waitUntilExit()
        guard install.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
        try FileManager.default.removeItem(at: text)
    }

    /// Removes it with everything that it wrote.
    public func remove() { try? FileManager.default.removeItem(at: folder) }

    /// How it is run; 11 asks to try again later.
    public func settings(_ arguments: [String] = [], timeoutSeconds: Double = 120) -> CommandSettings {
        CommandSettings(
            program: file.path, arguments: arguments, timeoutSeconds: timeoutSeconds, retryCodes: [11],
            environment: ["OUT": folder.path])
    }

    /// What it wrote into a file.
    public func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
}
