import Foundation
public import Testing

/// The form of a test run: the gate, which each change has to pass, or the nightly form, which runs everything.
public enum Tier {
    /// Whether everything runs (`scripts/test --night`, which sets `FRAMEFAST_TEST_NIGHT`).
    public static let isNight = ProcessInfo.processInfo.environment["FRAMEFAST_TEST_NIGHT"] == "1"

    /// The rows of a table that this run takes.
    ///
    /// - Parameters:
    ///   - all: Every row, for the night.
    ///   - gate: One row for each behaviour, for the gate.
    public static func rows<Row>(_ all: [Row], gate: [Row]) -> [Row] { isNight ? all : gate }

    /// The rows of a table that this run takes: all at night, the first ones in the gate.
    public static func rows<Row>(_ all: [Row], gate count: Int) -> [Row] {
        isNight ? all : Array(all.prefix(count))
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs at night only.
    ///
    /// - Parameter reason: Why it is not in the gate: what it measures, or which case of the gate covers its behaviour.
    public static func nightly(_ reason: String) -> Self {
        .enabled(if: Tier.isNight, Comment(rawValue: "nightly: \(reason)"))
    }
}
