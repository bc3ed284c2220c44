import Synchronization
import UploadEngine

/// The bandwidth that a destination's transfers share. The transport's thread divides the bandwidth each time
/// a transfer starts or ends. A fixed share per transfer would leave bandwidth unused.
final class SendBudget: Sendable {
    private let rate: Mutex<UInt64?>
    /// The bandwidth limit for FTP, or `nil` for no limit. libcurl 7.88 applies its own limit only to HTTP,
    /// so FrameFast limits FTP itself.
    let pace: UploadPace?

    init(bytesPerSecond: UInt64?) {
        rate = Mutex(bytesPerSecond)
        pace = bytesPerSecond.map(UploadPace.init(bytesPerSecond:))
    }

    /// The bandwidth limit in bytes per second, or `nil` for no limit.
    var bytesPerSecond: UInt64? { rate.withLock { $0 } }

    /// Returns the share of each of `count` transfers, in bytes per second. 0 means no limit, as in libcurl.
    func share(of count: Int) -> Int {
        guard let rate = bytesPerSecond else { return 0 }
        return Int(clamping: max(rate / UInt64(max(count, 1)), 1024))
    }
}
