import Glibc

/// A connection that is read in large pieces; what is not wanted is skipped in place.
struct ReceiveBuffer: ~Copyable {
    let descriptor: Int32
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 20, alignment: 4096)
    private var start = 0
    private var end = 0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        memory.deallocate()
        close(descriptor)
    }

    /// Takes the next `count` bytes as an array; for headers and small data sets.
    mutating func take(_ count: Int) throws(ReadFailure) -> [UInt8] {
        while end - start < count {
            if start > 0 {
                memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
                end -= start
                start = 0
            }
            try fill()
        }
        defer { start += count }
        return Array(memory[start..<start + count])
    }

    /// Reads the next `count` bytes and forgets them.
    mutating func skip(_ count: Int) throws(ReadFailure) {
        var left = count
        while true {
            let there = min(left, end - start)
            start += there
            left -= there
            if left == 0 { return }
            start = 0
            end = 0
            try fill()
        }
    }

    private mutating func fill() throws(ReadFailure) {
        let count = recv(descriptor, memory.baseAddress?.advanced(by: end), memory.count - end, 0)
        guard count > 0 else { throw ReadFailure("the camera has closed the connection") }
        end += count
    }
}

/// Why the measurement cannot go on.
struct ReadFailure: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
