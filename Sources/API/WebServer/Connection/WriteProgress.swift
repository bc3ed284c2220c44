/// The progress of a connection whose buffer is full.
///
/// While the buffer is full, the server adds no bytes. The number of buffered bytes therefore changes only if
/// the device reads.
struct WriteProgress: Hashable, Sendable {
    private var last: Int?

    /// Compares the buffer with the previous check.
    ///
    /// - Parameter buffered: The number of bytes that wait in the buffer.
    /// - Returns: Whether the device read nothing since the previous check.
    mutating func isStalled(buffered: Int) -> Bool {
        defer { last = buffered }
        return buffered > 0 && last == buffered
    }

    /// Starts again, because the buffer is no longer full.
    mutating func reset() { last = nil }
}
