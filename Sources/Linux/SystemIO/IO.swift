public import Glibc

/// System calls on descriptors. Each function repeats a call that a signal interrupted.
///
/// The functions do not change a descriptor's mode. If a non-blocking descriptor is not ready, or the timeout
/// of a socket option has passed, they throw `EAGAIN`.
public enum IO {
    /// Repeats a system call until no signal interrupts it.
    ///
    /// - Parameter call: The call. It returns a negative number after a failure, and sets `errno`.
    /// - Returns: The result of the call, 0 or greater.
    @inlinable
    public static func retrying<Count: FixedWidthInteger & SignedInteger>(
        _ call: () -> Count
    ) throws(SystemCallFailure) -> Count {
        while true {
            let result = call()
            if result >= 0 { return result }
            if let failure = SystemCallFailure.unlessInterrupted() { throw failure }
        }
    }

    // MARK: Reading

    /// Reads the available bytes. Waits for at least one byte.
    ///
    /// - Returns: The number of bytes at the start of `buffer`, or 0 at the end of the file or stream.
    public static func read(
        from descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemCallFailure) -> Int {
        try retrying { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Reads the available bytes into an existing array, up to the array's size. Waits for at least one byte.
    ///
    /// - Returns: The number of bytes at the start of `bytes`, or 0 at the end of the file or stream.
    public static func read(
        from descriptor: Int32, into bytes: inout [UInt8]
    ) throws(SystemCallFailure) -> Int {
        let count = bytes.count
        return try retrying { Glibc.read(descriptor, &bytes, count) }
    }

    /// Reads bytes of a file from an offset, in one call. ``FileReader`` of `FrameFastSystem` reads files by
    /// path.
    ///
    /// - Returns: The number of bytes at the start of `buffer`, or 0 at the end of the file.
    public static func read(
        from descriptor: Int32, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemCallFailure) -> Int {
        try retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// Fills a buffer, in as many calls as necessary.
    ///
    /// - Returns: `false` if the file or stream ended before the buffer was full.
    public static func readExactly(
        _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32
    ) throws(SystemCallFailure) -> Bool {
        var rest = buffer
        while !rest.isEmpty {
            let count = try read(from: descriptor, into: rest)
            guard count > 0 else { return false }
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// Reads this number of bytes, in as many calls as necessary.
    ///
    /// - Returns: The bytes, or `nil` if the file or stream ended earlier.
    public static func readExactly(
        _ count: Int, from descriptor: Int32
    ) throws(SystemCallFailure) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let isFull = try bytes.withUnsafeMutableBytes { buffer -> Result<Bool, SystemCallFailure> in
            Result { () throws(SystemCallFailure) in try readExactly(buffer, from: descriptor) }
        }.get()
        return isFull ? bytes : nil
    }

    // MARK: Writing

    /// Writes all bytes, in as many calls as necessary.
    ///
    /// - Parameter waitsUntilWritable: Whether to wait while a non-blocking descriptor accepts no bytes.
    /// - Throws: `EAGAIN` if a non-blocking descriptor accepts no bytes and the function does not wait. `EIO`
    ///   if a call writes nothing without an error. In both cases, some of the bytes may already be written.
    public static func writeAll(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, waitsUntilWritable: Bool = false
    ) throws(SystemCallFailure) {
        var rest = bytes
        while !rest.isEmpty {
            do throws(SystemCallFailure) {
                let count = try retrying { Glibc.write(descriptor, rest.baseAddress, rest.count) }
                guard count > 0 else { throw SystemCallFailure(number: EIO) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } catch {
                guard waitsUntilWritable, error.number == EAGAIN else { throw error }
                _ = try poll(descriptor, for: POLLOUT, milliseconds: -1)
            }
        }
    }

    /// Writes all bytes of an array, in as many calls as necessary.
    ///
    /// - Parameter waitsUntilWritable: Whether to wait while a non-blocking descriptor accepts no bytes.
    public static func writeAll(
        _ bytes: [UInt8], to descriptor: Int32, waitsUntilWritable: Bool = false
    ) throws(SystemCallFailure) {
        try bytes.withUnsafeBytes { buffer -> Result<Void, SystemCallFailure> in
            Result { () throws(SystemCallFailure) in
                try writeAll(buffer, to: descriptor, waitsUntilWritable: waitsUntilWritable)
            }
        }.get()
    }

    // MARK: Waiting

    /// Waits for events on descriptors. A signal does not extend the wait.
    ///
    /// - Parameters:
    ///   - entries: The descriptors and events. Receives the events that occurred.
    ///   - milliseconds: The longest wait, in milliseconds; 0 checks without waiting, and a negative number
    ///     has no limit.
    /// - Returns: The number of descriptors with events, or 0 after the longest wait.
    public static func poll(
        _ entries: inout [pollfd], milliseconds: Int32
    ) throws(SystemCallFailure) -> Int {
        let end = milliseconds > 0 ? monotonicMilliseconds() + Int(milliseconds) : 0
        var limit = milliseconds
        while true {
            let count = Glibc.poll(&entries, nfds_t(entries.count), limit)
            if count >= 0 { return Int(count) }
            if let failure = SystemCallFailure.unlessInterrupted() { throw failure }
            if milliseconds > 0 { limit = Int32(clamping: max(0, end - monotonicMilliseconds())) }
        }
    }

    /// Waits for events on one descriptor.
    ///
    /// - Parameters:
    ///   - events: The events, for example `POLLIN`.
    ///   - milliseconds: The longest wait, in milliseconds, as in ``poll(_:milliseconds:)``.
    /// - Returns: The events that occurred, or 0 after the longest wait.
    public static func poll(
        _ descriptor: Int32, for events: Int32, milliseconds: Int32
    ) throws(SystemCallFailure) -> Int32 {
        var entries = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
        _ = try poll(&entries, milliseconds: milliseconds)
        return Int32(entries[0].revents)
    }

    private static func monotonicMilliseconds() -> Int { Int(SystemTime.monotonicNs / 1_000_000) }
}
