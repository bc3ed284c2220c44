import Foundation

/// The error of a test that waited in vain.
public struct Impatience: Error, CustomStringConvertible {
    /// The event that was waited for, and the state that was found instead.
    public var description: String
    /// Whether the machine had no processor for the programs: the wait ended by wall-clock time, not by lived time.
    public var isStarved: Bool

    /// Creates an error with this description.
    public init(description: String, isStarved: Bool = false) {
        (self.description, self.isStarved) = (description, isStarved)
    }
}

/// Polls until `look` returns a value, and throws ``Impatience`` if the patience ends first.
///
/// For events that nothing signals: other processes, files on disk, a ledger. The last look comes after the deadline,
/// so a stall between two looks costs nothing.
///
/// - Parameters:
///   - what: The event, for the error.
///   - seconds: The patience, in ``LivedTime``.
///   - milliseconds: The pause between two looks.
@discardableResult
public func eventually<Value>(
    _ what: @autoclosure () throws -> String, within seconds: Double = 30, every milliseconds: Int = 20,
    isolation: isolated (any Actor)? = #isolation, _ look: () async throws -> Value?
) async throws -> Value {
    let patience = Patience(seconds: seconds)
    var looks = 0
    while true {
        let isLast = patience.isOver
        looks += 1
        if let value = try await look() { return value }
        guard !isLast else {
            let report = patience.report
            throw Impatience(
                description: "waited \(report), looked \(looks) times, for \(try what())",
                isStarved: patience.isStarved)
        }
        try await Task.sleep(for: .milliseconds(milliseconds))
    }
}
