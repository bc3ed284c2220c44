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
    /// - Parameters:
    ///   - hasSize: Whether the first one is that to SIZE.
    ///   - hasTime: Whether the last one is that to MDTM.
    init(_ replies: ArraySlice<String>, hasSize: Bool, hasTime: Bool) {
        isTaken = replies.contains { $0.hasPrefix("213") }
        bytes = hasSize ? FTPTalk.size(replies.first) : nil
        time = hasTime ? replies.last.flatMap { $0.hasPrefix("213") ? $0 : nil } : nil
    }

    /// The facts of a file that was read.
    ///
    /// - Parameter bytesRead: The file's size, or `nil` if there is no file.
    init(bytesRead: UInt64?) {
        (bytes, time, isTaken) = (bytesRead, nil, bytesRead != nil)
    }
}

extension FTPDestination {
    /// The receipt of a photo that an earlier attempt renamed without hearing the answer; `nil` if it is not there.
    func renamed(_ item: UploadItem, _ name: String) async throws(UploadFailure) -> UploadReceipt? {
        let (folder, file) = RemoteName.split(name)
        let there = try await facts(folder, file, of: item)
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

    func hasPhoto(
        _ item: UploadItem, _ folder: String, _ file: String
    ) async throws(UploadFailure) -> Bool {
        let there = try await readBack(folder, file)
        return there?.bytes == item.bytes && there?.sha256 == item.sha256
    }

    /// Length and SHA-256 of a file, from its bytes.
    ///
    /// - Parameter step: ``UploadStep/look`` if 450 may mean that nothing has the name.
    func readBack(
        _ folder: String, _ file: String, at step: UploadStep = .readBack
    ) async throws(UploadFailure) -> (bytes: UInt64, sha256: String)? {
        try await talk.perform(
            .retrieve, talk.url(folder: folder, file: file), sink: .hashed, at: step,
            asksForSize: memory.offers(.size)
        ).hashed
    }

    /// Size and time of a file, as far as the server tells them. If it tells neither, the file is read.
    ///
    /// A server may answer 450 for a file that is not there, and for one that another program uses. Under a name from a
    /// template that may be another photo, and is no free name.
    func facts(
        _ folder: String, _ file: String, of item: UploadItem
    ) async throws(UploadFailure) -> FTPFacts {
        let (size, time) = (sizeQuestion(file), timeQuestion(file))
        guard size.isEmpty, time.isEmpty else {
            return FTPFacts(
                try await ask(folder, size + time)[...], hasSize: !size.isEmpty, hasTime: !time.isEmpty)
        }
        guard memory.offers(.readBack) else { return FTPFacts(bytesRead: nil) }
        let isOthersToo =
            item.isNameChosen && !RemoteName.isOnlyOurs(RemoteName.path(folder, file), of: item)
        do throws(UploadFailure) {
            let there = try await readBack(folder, file, at: isOthersToo ? .readBack : .look)
            return FTPFacts(bytesRead: there?.bytes)
        } catch {
            // FTP has no status for a name that is not there.
            guard case .permanent = error.kind, error.isOfOneFeature else { throw error }
            return FTPFacts(bytesRead: nil)
        }
    }

    /// A server that tells no sizes is not asked for one: it may end the connection.
    func sizeQuestion(_ file: String) -> [String] { memory.offers(.size) ? ["*SIZE \(file)"] : [] }

    /// The same for the time of a file.
    func timeQuestion(_ file: String) -> [String] { memory.offers(.fileTime) ? ["*MDTM \(file)"] : [] }
}
