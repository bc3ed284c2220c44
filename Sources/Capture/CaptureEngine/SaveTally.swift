public import Foundation
import FrameFastModel
import Synchronization

/// Counts photos as they are saved in this run: how many by camera, and how long each took from the first word of it to
/// its safe place on disk.
public final class SaveTally: Sendable {
    /// How long photos took, for a histogram.
    public struct Latency: Hashable, Sendable {
        /// Upper bounds of the buckets in seconds: from one small JPEG over a fast link to a burst of RAW files.
        public static let bounds: [Double] = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

        /// Photos that took up to each bound, each counted in all larger ones as well.
        public private(set) var counts = [Int](repeating: 0, count: bounds.count)
        /// Photos at all.
        public private(set) var count = 0
        /// All their seconds together.
        public private(set) var seconds = 0.0

        /// Counts a photo.
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
        var savedSince: ContinuousClock.Instant?
        var window = SavePace.Window()
    }

    private let state = Mutex(State())

    /// How long photos took in this run.
    public var latency: Latency { state.withLock(\.latency) }

    /// How fast photos came in over the last minutes; `nil` when none did.
    public func pace(at now: Date = Date()) -> SavePace? { state.withLock { $0.window.pace(at: now) } }

    /// A photo is saved.
    ///
    /// - Parameter isShot: Whether it was waited for; else it lay on the card and had its turn.
    func add(_ record: CaptureRecord, isShot: Bool, cameraName: String) {
        let took = record.savedAt?.timeIntervalSince(record.detectedAt)
        state.withLock { state in
            if let savedAt = record.savedAt {
                state.window.add(
                    savedAt: savedAt, seconds: isShot ? took.map { max($0, 0) } : nil,
                    bytes: record.bytes ?? 0,
                    linkSeconds: Double(record.transferMs ?? 0) / 1_000)
            }
            if let took { state.latency.add(took) }
            state.saved[cameraName, default: 0] += 1
            state.savedSince = state.savedSince ?? .now
        }
    }

    /// Photos by camera since they were last taken from here.
    ///
    /// - Parameter age: Nothing while the first of them is younger.
    public func takeSaved(olderThan age: Duration) -> [String: Int] {
        state.withLock { state in
            guard let since = state.savedSince, since.duration(to: .now) >= age else { return [:] }
            defer { (state.saved, state.savedSince) = ([:], nil) }
            return state.saved
        }
    }
}
