import FoundationEssentials
import FrameFastAPI

/// The transfer rate of a camera, computed from the progress of its transfers.
struct TransferRate: Equatable {
    /// The length of the averaging window, in seconds. A longer window delays changes. A shorter window makes
    /// the rate jitter.
    static let windowSeconds = 4.0

    private struct Sample: Equatable {
        var at: Date
        var bytes: Int64
    }

    private var samples: [Sample] = []
    private var name = ""
    private var bytesOfPhoto: Int64 = 0
    private var total: Int64 = 0

    /// Adds the progress of a transfer.
    ///
    /// - Parameter progress: The progress, or `nil` between two photos. `nil` does not change the rate, which
    ///   therefore does not drop when the next photo starts.
    mutating func add(_ progress: ProgressReply?, at: Date) {
        guard let progress else { return }
        let isSame = progress.originalName == name && progress.bytes >= bytesOfPhoto
        total += isSame ? progress.bytes - bytesOfPhoto : progress.bytes
        name = progress.originalName
        bytesOfPhoto = progress.bytes
        samples.append(Sample(at: at, bytes: total))
        samples.removeAll { at.timeIntervalSince($0.at) > Self.windowSeconds }
    }

    /// Returns the rate, in bytes a second. Returns `nil` if no progress was added in the last
    /// ``windowSeconds``, and until two samples are at least 0.2 s apart.
    func bytesPerSecond(at now: Date) -> Double? {
        guard let first = samples.first, let last = samples.last,
            now.timeIntervalSince(last.at) <= Self.windowSeconds
        else { return nil }
        let seconds = last.at.timeIntervalSince(first.at)
        guard seconds >= 0.2, last.bytes > first.bytes else { return nil }
        return Double(last.bytes - first.bytes) / seconds
    }

    /// Returns the time until the transfer ends, in seconds, or `nil` while the rate is unknown.
    func secondsLeft(_ progress: ProgressReply, at now: Date) -> Int? {
        bytesPerSecond(at: now).map {
            Int((Double(max(0, progress.totalBytes - progress.bytes)) / $0).rounded(.up))
        }
    }
}
