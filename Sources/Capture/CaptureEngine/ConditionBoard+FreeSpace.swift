public import Cameras
public import FrameFastSystem

extension ConditionBoard {
    /// Raises or clears the conditions for the free space of a capture directory.
    ///
    /// - Parameter minFreeBytes: The disk space that stays free, in bytes.
    public func recordFreeSpace(in directory: String, minFreeBytes: UInt64, clock: HostClock) {
        let monitor = FreeSpaceMonitor(
            directory: directory, minFreeBytes: minFreeBytes, conditionBoard: self, clock: clock)
        _ = monitor.poll()
    }
}
