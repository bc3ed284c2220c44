/// A byte-for-byte comparison of the local file with the beginning of a remote file, which stops at the first
/// difference.
struct SFTPComparison {
    let connection: SFTPConnection
    let photo: PhotoFile

    /// The largest number of pending read requests.
    private static let readsMax = 16

    /// Returns whether the remote file begins with the photo's bytes. The remote file may be longer.
    ///
    /// - Parameter end: The offset at which the comparison ends, or `nil` to compare all bytes.
    func isSame(_ path: String, upTo end: UInt64? = nil) async throws -> Bool {
        let end = min(end ?? photo.bytes, photo.bytes)
        let session = connection.session
        let handle = try await session.send(.open(path: path, mode: .read)).handle()
        // Does not wait for the reply, because no later step depends on the reply.
        defer { _ = session.send(.close(handle: handle)) }
        var reads: [(pending: SFTPPending, offset: UInt64, count: Int)] = []
        var requested: UInt64 = 0
        while requested < end || !reads.isEmpty {
            while requested < end, reads.count < Self.readsMax {
                let count = Int(min(UInt64(connection.pieceBytes), end - requested))
                reads.append(
                    (
                        session.send(.read(handle: handle, offset: requested, count: UInt32(count))),
                        requested, count
                    ))
                requested += UInt64(count)
            }
            let read = reads.removeFirst()
            let localBytes = try await photo.read(at: read.offset, count: read.count)
            guard try await isSame(read.pending, localBytes: localBytes[...], at: read.offset, of: handle)
            else {
                return false
            }
        }
        return true
    }

    /// Compares the data of one read. If the server returns fewer bytes than requested, requests the missing
    /// bytes.
    private func isSame(
        _ pending: SFTPPending, localBytes: ArraySlice<UInt8>, at offset: UInt64, of handle: [UInt8]
    ) async throws -> Bool {
        var (pending, localBytes, offset) = (pending, localBytes, offset)
        while true {
            guard let reply = try await pending.reply(orNilAt: .endOfFile) else { return false }
            guard case .data(let remoteBytes) = reply, !remoteBytes.isEmpty else {
                throw SFTPError.unexpectedReply
            }
            guard localBytes.starts(with: remoteBytes) else { return false }
            localBytes = localBytes.dropFirst(remoteBytes.count)
            if localBytes.isEmpty { return true }
            offset += UInt64(remoteBytes.count)
            pending = connection.session.send(
                .read(handle: handle, offset: offset, count: UInt32(localBytes.count)))
        }
    }
}
