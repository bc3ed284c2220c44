import UploadEngine

/// Size and time of a file at an FTP server, from the replies to SIZE and MDTM (RFC 3659).
struct FTPFacts {
    /// `nil` if the server does not tell it, or nothing has the name.
    let bytes: UInt64?
    /// The reply to MDTM, if it tells a time.
    let time: String?
    /// Whether something has the name.
    let isTaken: Bool

    /// Reads replies.
    ///
    /// - Parameter hasSize: Whether the first one is that to SIZE.
    init(_ replies: ArraySlice<String>, hasSize: Bool) {
        isTaken = replies.contains { $0.hasPrefix("213") }
        bytes = hasSize ? FTPTalk.size(replies.first) : nil
        time = replies.last.flatMap { $0.hasPrefix("213") ? $0 : nil }
    }
}

extension FTPDestination {
    /// The receipt of a photo that an earlier attempt renamed without hearing the answer; `nil` if it is not there.
    func renamed(_ item: UploadItem, _ name: String) async throws(UploadFailure) -> UploadReceipt? {
        let (folder, file) = RemoteName.split(name)
        let there = try await facts(folder, file)
        // Only this upload makes the name. Where nothing is read back, the size has to do.
        let isOurs = !memory.offers(.readBack) && name == RemoteName.unique(item) && there.bytes == item.bytes
        if !isOurs { guard try await isPhoto(item, there, folder, file) else { return nil } }
        await item.saveResumePoint(nil)
        return wasThere(item, name)
    }

    func isPhoto(
        _ item: UploadItem, _ there: FTPFacts, _ folder: String, _ file: String
    ) async throws(UploadFailure) -> Bool {
        guard there.isTaken, there.bytes == nil || there.bytes == item.bytes, memory.offers(.readBack) else {
            return false
        }
        return try await hasPhoto(item, folder, file)
    }

    func wasThere(_ item: UploadItem, _ name: String) -> UploadReceipt {
        UploadReceipt.wasThere(item, named: name, isRead: memory.offers(.readBack))
    }

    /// Size and time of a file, as far as the server tells them.
    func facts(_ folder: String, _ file: String) async throws(UploadFailure) -> FTPFacts {
        let size = sizeQuestion(file)
        return FTPFacts(try await ask(folder, size + ["*MDTM \(file)"])[...], hasSize: !size.isEmpty)
    }

    /// A server that tells no sizes is not asked for one: it may end the connection.
    func sizeQuestion(_ file: String) -> [String] { memory.offers(.size) ? ["*SIZE \(file)"] : [] }
}
