import Foundation

/// The error of a wait that timed out, or of another failed step of a test's setup.
public struct WaitTimeout: Error, CustomStringConvertible {
    /// The expected event, and the state that was found instead.
    public var description: String
    /// Whether the wait ended by wall-clock time instead of ``LivedTime``, because the programs had no
    /// processor time.
    public var isStarved: Bool

    /// Creates an error with this description.
    public init(description: String, isStarved: Bool = false) {
        (self.description, self.isStarved) = (description, isStarved)
    }
}

/// Polls until `look` returns a value, and throws ``WaitTimeout`` if the time limit is reached first.
///
/// Use this function for events without a notification: other processes, files on disk, a ledger. The last
/// poll happens after the deadline. A stall between two polls is therefore harmless.
///
/// - Parameters:
///   - what: The event, for the error.
///   - seconds: The time limit, in seconds of ``LivedTime``.
///   - milliseconds: The time between two polls.
@discardableResult
public func eventually<Value>(
    _ what: @autoclosure () throws -> String, within seconds: Double = 30, every milliseconds: Int = 20,
    isolation: isolated (any Actor)? = #isolation, _ look: () async throws -> Value?
) async throws -> Value {
    let limit = WaitLimit(seconds: seconds)
    var looks = 0
    while true {
        let isLast = limit.isOver
        looks += 1
        if let value = try await look() { return value }
        guard !isLast else {
            let report = limit.report
            throw WaitTimeout(
                description: "waited \(report), polled \(looks) times, for \(try what())",
                isStarved: limit.isStarved)
        }
        try await Task.sleep(for: .milliseconds(milliseconds))
    }
}
