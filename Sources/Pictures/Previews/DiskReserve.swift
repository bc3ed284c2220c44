import FrameFastSystem
import Synchronization

/// The free space that photos need on the disk of the cache.
///
/// A separate thread reads the value, because the disk of the photos may fail to answer. Callers receive the
/// last known value immediately.
public final class DiskReserve: Sendable {
    private let pool = BlockingPool(label: "framefast.disk-reserve", width: 1)
    private let state = Mutex(State())
    private let read: @Sendable () -> UInt64

    private struct State {
        var bytes: UInt64 = 0
        var isReading = false
    }

    /// Creates a reserve with the value 0.
    ///
    /// - Parameter read: Returns the free space on the disk below which the cache does not grow, in bytes.
    ///   The call may block.
    public init(read: @escaping @Sendable () -> UInt64) { self.read = read }

    /// Returns the last known value, in bytes, and starts a new reading, unless a reading runs. Never blocks.
    public func bytes() -> UInt64 {
        let (bytes, mustRead) = state.withLock { state in
            defer { state.isReading = true }
            return (state.bytes, !state.isReading)
        }
        if mustRead {
            // The task outlives this call if the disk does not answer.
            Task { [self] in
                await pool.run { [self] in
                    let bytes = read()
                    state.withLock { $0 = State(bytes: bytes, isReading: false) }
                }
            }
        }
        return bytes
    }
}
