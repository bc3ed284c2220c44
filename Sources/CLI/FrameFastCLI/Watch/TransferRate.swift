import FoundationEssentials
import FrameFastAPI

/// How fast photos come in from a camera, from what it tells of its progress.
struct TransferRate: Equatable {
    /// Seconds that are looked back: long enough to be steady, short enough to show a change.
    static let windowSeconds = 4.0

    private struct Sample: Equatable {
        var at: Date
        var bytes: Int64
    }

    private var samples: [Sample] = []
    private var name = ""
    private var bytesOfPhoto: Int64 = 0
    private var total: Int64 = 0

    /// - Parameter progress: `nil` between two photos.
    mutating func take(_ progress: ProgressReply?, at: Date) {
        guard let progress else { return }
        let isSame = progress.originalName == name && progress.bytes >= bytesOfPhoto
        total += isSame ? progress.bytes - bytesOfPhoto : progress.bytes
        name = progress.originalName
        bytesOfPhoto = progress.bytes
        samples.append(Sample(at: at, bytes: total))
        samples.removeAll { at.timeIntervalSince($0.at) > Self.windowSeconds }
    }

    /// Bytes a second; `nil` before it can be told.
    var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let seconds = last.at.timeIntervalSince(first.at)
        guard seconds >= 0.2, last.bytes > first.bytes else { return nil }
        return Double(last.bytes - first.bytes) / seconds
    }

    /// Seconds until the photo is here; `nil` before it can be told.
    func secondsLeft(_ progress: ProgressReply) -> Int? {
        bytesPerSecond.map { Int((Double(max(0, progress.totalBytes - progress.bytes)) / $0).rounded(.up)) }
    }
}
