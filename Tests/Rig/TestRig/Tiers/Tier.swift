import Foundation
public import Testing

/// The form of a test run: the gate, which each change must pass, or the nightly run, which runs everything.
public enum Tier {
    /// Whether everything runs (`scripts/test --night`, which sets `FRAMEFAST_TEST_NIGHT`).
    public static let isNight = ProcessInfo.processInfo.environment["FRAMEFAST_TEST_NIGHT"] == "1"

    /// Returns the rows of a table for this run.
    ///
    /// - Parameters:
    ///   - all: All rows, for the nightly run.
    ///   - gate: One row for each behavior, for the gate.
    public static func rows<Row>(_ all: [Row], gate: [Row]) -> [Row] { isNight ? all : gate }

    /// Returns the rows of a table for this run: all rows at night, the first `count` rows in the gate.
    public static func rows<Row>(_ all: [Row], gate count: Int) -> [Row] {
        isNight ? all : Array(all.prefix(count))
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs the test only at night.
    ///
    /// - Parameter reason: The reason why the test is not in the gate: its measurement, or the gate test that
    ///   covers its behavior.
    public static func nightly(_ reason: String) -> Self {
        .enabled(if: Tier.isNight, Comment(rawValue: "nightly: \(reason)"))
    }
}
