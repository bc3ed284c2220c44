import Foundation

/// How fast photos came in over the last minutes.
public struct SavePace: Hashable, Sendable {
    /// Half of the photos that were waited for were on disk so soon after the first word of them, in seconds; `nil` when
    /// there were none.
    public var medianSeconds: Double?
    /// 99 of 100 of them were; seconds.
    public var slowSeconds: Double?
    /// Bytes a second over the cameras' links while they were read; `nil` when no time was measured.
    public var bytesPerSecond: Double?

    /// The photos of the last minutes that a pace is made of.
    struct Window: Sendable {
        /// How far it looks back, in seconds: a set of a portrait, not a day.
        static let seconds: TimeInterval = 300
        /// Photos that are looked back at, at most: half a minute of forty cameras that fire without pause.
        static let photosMax = 2_000

        private struct Photo {
            var savedAt: Date
            /// From the first word of it to the disk; `nil` when nobody waited for it: it lay on the card.
            var seconds: Double?
            var bytes: UInt64
            var linkSeconds: Double
        }

        private var photos: [Photo] = []

        /// Photos that are kept.
        var count: Int { photos.count }

        /// A photo is saved.
        mutating func add(savedAt: Date, seconds: Double?, bytes: UInt64, linkSeconds: Double) {
            if photos.count >= 2 * Self.photosMax { photos.removeFirst(Self.photosMax) }
            photos.append(
                Photo(savedAt: savedAt, seconds: seconds, bytes: bytes, linkSeconds: linkSeconds))
        }

        /// The pace at a moment; `nil` when nothing was saved lately.
        func pace(at now: Date) -> SavePace? {
            let last = photos.suffix(Self.photosMax).filter {
                abs(now.timeIntervalSince($0.savedAt)) <= Self.seconds
            }
            guard !last.isEmpty else { return nil }
            let waited = last.compactMap(\.seconds).sorted()
            let link = last.reduce(0) { $0 + $1.linkSeconds }
            let bytes = last.reduce(0.0) { $0 + ($1.linkSeconds > 0 ? Double($1.bytes) : 0) }
            return SavePace(
                medianSeconds: Self.rank(0.5, of: waited), slowSeconds: Self.rank(0.99, of: waited),
                bytesPerSecond: link > 0 ? bytes / link : nil)
        }

        /// The smallest value that so large a part of them does not exceed.
        private static func rank(_ part: Double, of sorted: [Double]) -> Double? {
            guard !sorted.isEmpty else { return nil }
            return sorted[max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1)]
        }
    }
}
