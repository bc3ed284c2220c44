public import Cameras

extension HealthBoard {
    /// Reports how full the disk of a capture directory is, in the words of a service that saves photos there.
    ///
    /// - Parameter minFreeBytes: The bytes that stay free.
    public func recordFreeSpace(in directory: String, minFreeBytes: UInt64) {
        _ = FreeSpace(directory: directory, minFreeBytes: minFreeBytes, health: self).look()
    }
}
