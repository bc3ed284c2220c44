/// Stops taking photos before the disk is full, and lets them in again when there is room.
public struct DiskGuard: Hashable, Sendable {
    /// How the disk stands.
    public enum Level: String, Codable, Hashable, Sendable, CaseIterable {
        /// Plenty.
        case ok
        /// Under twice the reserve: say so.
        case low
        /// The next photo would eat into the reserve: photos wait on the card.
        case full
        /// The folder for photos is away or cannot be used: nobody knows how much is free.
        case away
    }

    /// Bytes that stay free whatever happens.
    public var minFreeBytes: UInt64
    /// How the disk stands now.
    public private(set) var level: Level = .ok
    /// Free bytes at the last look; 0 while ``level`` is `away`.
    public private(set) var freeBytes: UInt64 = 0

    /// A guard that keeps `minFreeBytes` free.
    public init(minFreeBytes: UInt64) { self.minFreeBytes = minFreeBytes }

    /// Whether `needBytes` more leave the reserve whole.
    public func fits(needBytes: UInt64, freeBytes: UInt64) -> Bool {
        let (after, tooMuch) = freeBytes.subtractingReportingOverflow(needBytes)
        return !tooMuch && after >= minFreeBytes
    }

    /// Looks at the disk before `needBytes` more are written.
    ///
    /// - Returns: whether those bytes may be written.
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

    /// The folder for photos cannot be looked at. Ends with the next ``admit(needBytes:freeBytes:)``.
    public mutating func folderIsAway() { (level, freeBytes) = (.away, 0) }

    /// A write failed for want of room although the numbers looked well (quota, another program).
    public mutating func writeFailed() { level = .full }
}
