import Foundation
import TestRig
import Testing

/// The output of `framefast clock --set --json`.
struct SetClocks: Decodable {
    struct Clock: Decodable { var drift_ms: Int }
    var clocks: [Clock]

    /// The largest clock error that a delay of the camera may cause, in milliseconds. The value is smaller
    /// than the smallest difference between two time zones.
    private static let delayMaxMs = 600_000

    /// Sets a clock until it is correct.
    ///
    /// If the system delays the simulated camera, its clock is some seconds slow. This function then sets the
    /// clock again. A larger error, for example because of a wrong time zone, is a failure, even if the next
    /// attempt corrects the clock.
    ///
    /// - Parameter setClock: Sets the clock, and returns the exit status and the output of the command.
    @discardableResult
    static func untilCorrect(
        _ setClock: () async throws -> (status: Int32, output: String)
    ) async throws -> SetClocks {
        var output = ""
        return try await eventually("a correct clock: \(output)") { () -> SetClocks? in
            let run = try await setClock()
            output = run.output
            let reply = try JSONDecoder().decode(SetClocks.self, from: Data(output.utf8))
            try #require(reply.clocks.map { abs($0.drift_ms) <= delayMaxMs } == [true], "\(output)")
            return run.status == 0 ? reply : nil
        }
    }
}
