import Synchronization
import UploadEngine

/// Bytes a second that a destination's transfers share. The transport's thread deals it out anew whenever one begins
/// or ends: split for ever over the most that may run, a half of it would lie idle.
final class SendBudget: Sendable {
    private let rate: Mutex<UInt64?>
    /// The same rate for transfers whose bytes are dealt out one by one: libcurl 7.88 holds its own limit for HTTP only.
    let pace: UploadPace?

    init(bytesPerSecond: UInt64?) {
        rate = Mutex(bytesPerSecond)
        pace = bytesPerSecond.map(UploadPace.init(bytesPerSecond:))
    }

    /// `nil` for no limit.
    var bytesPerSecond: UInt64? { rate.withLock { $0 } }

    /// A share of it, for one of `count` transfers; 0, as libcurl has it, for no limit.
    func share(of count: Int) -> Int {
        guard let rate = bytesPerSecond else { return 0 }
        return Int(clamping: max(rate / UInt64(max(count, 1)), 1024))
    }
}
