import Foundation
import SurfaceTestSupport

/// A completed run of the built program on pipes, with its exit status and output.
struct ProgramRun: Sendable {
    var status: Int32
    var output: String
    var errors: String

    /// The path of the built program, next to the test bundle.
    static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("framefast").path

    static func of(_ arguments: [String], wrapper: [String] = []) async throws -> ProgramRun {
        try await blocking {
            let process = Process()
            let command = wrapper + [program] + arguments
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
            // The time limits of the product are relaxed, as in `RunningProgram`.
            process.environment = [
                "LANG": "C.UTF-8", "TERM": "xterm", "FRAMEFAST_SIGN_OF_LIFE_FACTOR": "4",
            ]
            let output = Pipe()
            let errors = Pipe()
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            let text = output.fileHandleForReading.readDataToEndOfFile()
            let errorText = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return ProgramRun(
                status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
                errors: String(decoding: errorText, as: UTF8.self))
        }
    }
}
