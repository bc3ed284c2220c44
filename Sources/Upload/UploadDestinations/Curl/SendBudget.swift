import Synchronization
import UploadEngine

/// The bandwidth that a destination's transfers share. The transport's thread divides it again whenever a
/// transfer starts or ends. A fixed share per possible transfer would leave much of it unused.
final class SendBudget: Sendable {
    private let rate: Mutex<UInt64?>
    /// The same limit for FTP, where our own code paces the bytes: libcurl 7.88 keeps its own limit for HTTP
    /// only.
    let pace: UploadPace?

    init(bytesPerSecond: UInt64?) {
        rate = Mutex(bytesPerSecond)
        pace = bytesPerSecond.map(UploadPace.init(bytesPerSecond:))
    }

    /// The most bytes a second, or `nil` for no limit.
    var bytesPerSecond: UInt64? { rate.withLock { $0 } }

    /// Returns the share of one of `count` transfers, in bytes a second. 0 means no limit, as in libcurl.
    func share(of count: Int) -> Int {
        guard let rate = bytesPerSecond else { return 0 }
        return Int(clamping: max(rate / UInt64(max(count, 1)), 1024))
    }
}
