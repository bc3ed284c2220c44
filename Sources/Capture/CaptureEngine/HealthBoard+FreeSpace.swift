public import Cameras

extension HealthBoard {
    /// Raises or clears the conditions for the free space of a capture directory.
    ///
    /// - Parameter minFreeBytes: The disk space that stays free, in bytes.
    public func recordFreeSpace(in directory: String, minFreeBytes: UInt64) {
        _ = FreeSpaceMonitor(directory: directory, minFreeBytes: minFreeBytes, health: self).poll()
    }
}
