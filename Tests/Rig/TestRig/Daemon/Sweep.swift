import Foundation

/// The selection of test points for this run: all points, or a sample that the run's seed determines.
public enum Sweep {
    /// Whether the run covers all points (`scripts/test --all`, which sets `FRAMEFAST_TEST_ALL`).
    public static let isWhole = ProcessInfo.processInfo.environment["FRAMEFAST_TEST_ALL"] == "1"

    /// Returns the points of a sweep for this run, in order.
    ///
    /// - Parameters:
    ///   - all: All points of the sweep.
    ///   - count: The number of points in a sample.
    public static func sample<Point>(
        of all: [Point], _ count: Int, using random: inout SeededRandom
    ) -> [Point] {
        guard !isWhole else { return all }
        return all.indices.shuffled(using: &random).prefix(count).sorted().map { all[$0] }
    }
}
