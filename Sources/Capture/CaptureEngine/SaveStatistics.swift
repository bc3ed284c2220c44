import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization

/// Counts of the photos that were saved in this run, by camera, and a histogram of the time from announcement
/// to `saved`.
public final class SaveStatistics: Sendable {
    /// A histogram of the time from announcement to `saved`.
    public struct Latency: Hashable, Sendable {
        /// The upper bounds of the buckets, in seconds. The bounds range from one small JPEG over a fast link
        /// to a burst of RAW files.
        public static let bounds: [Double] = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

        /// The number of photos in each bucket. The counts are cumulative.
        public private(set) var counts = [Int](repeating: 0, count: bounds.count)
        /// The number of photos.
        public private(set) var count = 0
        /// The sum of all times, in seconds.
        public private(set) var seconds = 0.0

        /// Adds the time of one photo, in seconds.
        mutating func add(_ seconds: Double) {
            let seconds = max(seconds, 0)
            count += 1
            self.seconds += seconds
            for (index, bound) in Self.bounds.enumerated() where seconds <= bound { counts[index] += 1 }
        }
    }

    private struct State {
        var latency = Latency()
        var saved: [String: Int] = [:]
        /// The uptime of the first saved photo since the last reset, in seconds, or `nil` before that photo.
        var savedSince: Double?
    }

    private let state = Mutex(State())
    private let clock: HostClock

    init(clock: HostClock) { self.clock = clock }

    /// The histogram of this run.
    public var latency: Latency { state.withLock(\.latency) }

    /// Counts a saved photo.
    func add(_ record: CaptureRecord, cameraName: String) {
        let took = record.savedAt?.timeIntervalSince(record.detectedAt)
        state.withLock { state in
            if let took { state.latency.add(took) }
            state.saved[cameraName, default: 0] += 1
            state.savedSince = state.savedSince ?? clock.uptime()
        }
    }

    /// Returns the number of saved photos by camera since the last reset, and resets the numbers.
    ///
    /// - Parameter age: The minimum time since the first counted photo was saved. If less time has passed,
    ///   the result is empty and the numbers stay.
    public func drainSavedCounts(olderThan age: Duration) -> [String: Int] {
        state.withLock { state in
            guard let since = state.savedSince, clock.duration(since: since) >= age else { return [:] }
            defer { (state.saved, state.savedSince) = ([:], nil) }
            return state.saved
        }
    }
}
