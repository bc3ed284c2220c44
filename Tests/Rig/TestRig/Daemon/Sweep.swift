import Foundation

/// The part of a sweep that a run takes: a sample chosen by the run's seed, or everything.
public enum Sweep {
    /// Whether everything was asked for (`scripts/test --all`, which sets `FRAMEFAST_TEST_ALL`).
    public static let isWhole = ProcessInfo.processInfo.environment["FRAMEFAST_TEST_ALL"] == "1"

    /// What of a sweep is to be taken, in order.
    ///
    /// - Parameters:
    ///   - all: Every point of the sweep.
    ///   - count: Points in a sample.
    public static func sample<Point>(
        of all: [Point], _ count: Int, using random: inout SeededRandom
    ) -> [Point] {
        guard !isWhole else { return all }
        return all.indices.shuffled(using: &random).prefix(count).sorted().map { all[$0] }
    }
}
