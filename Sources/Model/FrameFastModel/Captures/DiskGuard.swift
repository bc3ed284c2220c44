/// A check of the disk's free space before each transfer. The guard rejects transfers that would use the
/// reserve.
public struct DiskGuard: Hashable, Sendable {
    /// A level of free space.
    public typealias Level = DiskLevel

    /// The reserve that must stay free, in bytes.
    public var minFreeBytes: UInt64
    /// The current level.
    public private(set) var level: Level = .ok
    /// The free space at the last check, in bytes; 0 while ``level`` is `away`.
    public private(set) var freeBytes: UInt64 = 0

    /// Creates a guard with a reserve.
    public init(minFreeBytes: UInt64) { self.minFreeBytes = minFreeBytes }

    /// Returns whether the reserve stays free after `needBytes` more bytes are written.
    public func fits(needBytes: UInt64, freeBytes: UInt64) -> Bool {
        let (after, tooMuch) = freeBytes.subtractingReportingOverflow(needBytes)
        return !tooMuch && after >= minFreeBytes
    }

    /// Updates the level before `needBytes` more bytes are written.
    ///
    /// - Returns: Whether those bytes may be written.
    public mutating func admit(needBytes: UInt64, freeBytes: UInt64) -> Bool {
        self.freeBytes = freeBytes
        guard fits(needBytes: needBytes, freeBytes: freeBytes) else {
            level = .full
            return false
        }
        level =
            freeBytes - needBytes < minFreeBytes.multipliedReportingOverflow(by: 2).partialValue ? .low : .ok
        return true
    }

    /// Sets the level to `away`, until the next ``admit(needBytes:freeBytes:)``.
    public mutating func setFolderUnavailable() { (level, freeBytes) = (.away, 0) }

    /// Sets the level to `full`. Called after a write failed although enough space was free, for example
    /// because of a quota.
    public mutating func recordFailedWrite() { level = .full }
}
