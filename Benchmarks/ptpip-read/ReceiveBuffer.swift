import Glibc

/// A buffered connection that is read in large chunks. Unwanted bytes are skipped without a copy.
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

    /// Returns the next `count` bytes as an array. Use it for headers and small data sets.
    mutating func read(_ count: Int) throws(ReadFailure) -> [UInt8] {
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

    /// Reads and discards the next `count` bytes.
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

/// The reason why the measurement failed.
struct ReadFailure: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
