import UploadEngine

/// The size and time of a file on an FTP server, from the replies to SIZE and MDTM (RFC 3659).
struct FTPFacts {
    /// The size in bytes, or `nil` if the server does not report the size or the file does not exist.
    let bytes: UInt64?
    /// The reply to MDTM, or `nil` if the reply contains no time.
    let time: String?
    /// Whether the server reports a file with this name.
    let isTaken: Bool

    /// Creates facts from replies.
    ///
    /// - Parameters:
    ///   - hasSize: Whether the first reply is to SIZE.
    ///   - hasTime: Whether the last reply is to MDTM.
    init(_ replies: ArraySlice<String>, hasSize: Bool, hasTime: Bool) {
        isTaken = replies.contains { $0.hasPrefix("213") }
        bytes = hasSize ? FTPClient.size(replies.first) : nil
        time = hasTime ? replies.last.flatMap { $0.hasPrefix("213") ? $0 : nil } : nil
    }

    /// Creates the facts of a file that was read back.
    ///
    /// - Parameter bytesRead: The file's size in bytes, or `nil` if the file is missing or was not read.
    init(bytesRead: UInt64?) {
        (bytes, time, isTaken) = (bytesRead, nil, bytesRead != nil)
    }
}

extension FTPDestination {
    /// Returns the receipt of a photo that an earlier attempt renamed without receiving the reply. Returns
    /// `nil` if the server has no file with this name, or has a different file.
    func renamedReceipt(_ item: UploadItem, _ name: String) async throws(UploadFailure) -> UploadReceipt? {
        let (folder, file) = RemoteName.split(name)
        let existing = try await facts(folder, file, of: item)
        // Only this upload creates a unique name. If the server refuses to return the file, the size is the
        // only evidence.
        let isOurs =
            !memory.offers(.readBack) && name == RemoteName.unique(item) && existing.bytes == item.bytes
        if !isOurs { guard try await isPhoto(item, existing, folder, file) else { return nil } }
        await item.saveResumePoint(nil)
        return existingPhotoReceipt(item, name)
    }

    func isPhoto(
        _ item: UploadItem, _ existing: FTPFacts, _ folder: String, _ file: String
    ) async throws(UploadFailure) -> Bool {
        guard existing.isTaken, existing.bytes == nil || existing.bytes == item.bytes,
            memory.offers(.readBack)
        else {
            return false
        }
        return try await hasPhoto(item, folder, file)
    }

    func existingPhotoReceipt(_ item: UploadItem, _ name: String) -> UploadReceipt {
        UploadReceipt.alreadyExisted(item, named: name, isRead: memory.offers(.readBack))
    }

    func hasPhoto(
        _ item: UploadItem, _ folder: String, _ file: String
    ) async throws(UploadFailure) -> Bool {
        let existing = try await readBack(folder, file)
        return existing?.bytes == item.bytes && existing?.sha256 == item.sha256
    }

    /// Reads a file back, and returns its length and SHA-256.
    ///
    /// - Parameter step: Use ``UploadStep/look`` if reply 450 may mean that the file does not exist.
    func readBack(
        _ folder: String, _ file: String, at step: UploadStep = .readBack
    ) async throws(UploadFailure) -> (bytes: UInt64, sha256: String)? {
        try await client.perform(
            .retrieve, client.url(folder: folder, file: file), sink: .hashed, at: step,
            asksForSize: memory.offers(.size)
        ).hashed
    }

    /// Returns the size and time of a file. If the server reports neither, reads the file back.
    ///
    /// A server may reply 450 for a missing file, and for a file that another program is using. After 450, a
    /// name from a user-defined template therefore does not count as free.
    func facts(
        _ folder: String, _ file: String, of item: UploadItem
    ) async throws(UploadFailure) -> FTPFacts {
        let (size, time) = (sizeCommand(file), timeCommand(file))
        guard size.isEmpty, time.isEmpty else {
            return FTPFacts(
                try await sendCommands(folder, size + time)[...], hasSize: !size.isEmpty,
                hasTime: !time.isEmpty)
        }
        guard memory.offers(.readBack) else { return FTPFacts(bytesRead: nil) }
        let isSharedName =
            item.isNameChosen && !RemoteName.isOnlyOurs(RemoteName.path(folder, file), of: item)
        do throws(UploadFailure) {
            let existing = try await readBack(folder, file, at: isSharedName ? .readBack : .look)
            return FTPFacts(bytesRead: existing?.bytes)
        } catch {
            // FTP has no reply code for a missing file.
            guard case .permanent = error.kind, error.mayConcernOneRequest else { throw error }
            return FTPFacts(bytesRead: nil)
        }
    }

    /// Returns the SIZE command for a file. Returns no command if the server reports no sizes, because such a
    /// server might close the connection.
    func sizeCommand(_ file: String) -> [String] { memory.offers(.size) ? ["*SIZE \(file)"] : [] }

    /// Returns the MDTM command for a file, or no command if the server reports no file times.
    func timeCommand(_ file: String) -> [String] { memory.offers(.fileTime) ? ["*MDTM \(file)"] : [] }
}
