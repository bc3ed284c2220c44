import CLinux
import Glibc

extension IO {
    /// Sends bytes and descriptors to a Unix stream socket, in one message (SCM_RIGHTS). The receiver gets
    /// duplicates, and the caller keeps its descriptors. Throws `EPIPE` if the peer has closed the
    /// connection, without raising SIGPIPE.
    ///
    /// - Parameter descriptors: At most four descriptors.
    /// - Returns: The number of sent bytes, which may be less than the array's size. The message contains the
    ///   descriptors if at least one byte was sent.
    public static func send(
        _ bytes: [UInt8], descriptors: [Int32], to socket: Int32
    ) throws(SystemCallFailure) -> Int {
        try retrying {
            framefast_send_descriptors(socket, bytes, bytes.count, descriptors, descriptors.count)
        }
    }

    /// Receives bytes, and the descriptors of at most one message, from a Unix stream socket. Waits for at
    /// least one byte. Other programs do not inherit the descriptors. The caller must close them.
    ///
    /// - Parameters:
    ///   - count: The largest number of bytes.
    ///   - descriptorsMax: The largest number of descriptors, at most four.
    /// - Returns: The bytes, which are empty at the end of the stream, and the descriptors.
    /// - Throws: `EMSGSIZE` if the message has more descriptors. The function then closes all of them.
    public static func receive(
        _ count: Int, descriptorsMax: Int, from socket: Int32
    ) throws(SystemCallFailure) -> (bytes: [UInt8], descriptors: [Int32]) {
        var bytes = [UInt8](repeating: 0, count: count)
        var descriptors = [Int32](repeating: -1, count: descriptorsMax)
        var found = descriptorsMax
        let received = try retrying {
            found = descriptorsMax
            return framefast_receive_descriptors(socket, &bytes, count, &descriptors, &found)
        }
        return (Array(bytes.prefix(received)), Array(descriptors.prefix(found)))
    }
}
