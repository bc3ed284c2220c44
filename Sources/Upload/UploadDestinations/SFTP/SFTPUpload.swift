import UploadEngine

/// The upload of one photo to a server. The upload writes a part file in the photo's folder, and then renames
/// the part file.
///
/// A new file needs three round trips: [check the name, check the part, open] → [writes, time, fsync, size,
/// close] → [rename, size]. The requests in brackets are sent together.
struct SFTPUpload {
    let connection: SFTPConnection
    let settings: SFTPSettings
    let item: UploadItem
    let photo: PhotoFile
    let pace: UploadPace?
    let plan: TransferPlan
    let memory: DestinationMemory
    let progress: @Sendable (UInt64) -> Void

    /// The largest number of unacknowledged bytes of a file. An interrupted upload resumes this many bytes
    /// before the end of its part file, because the server may have written these bytes out of order.
    static let windowBytes: UInt64 = 2 * 1024 * 1024
    /// The largest number of names to try before the upload fails.
    static let suffixesMax = 1_000
    /// The resume point of a photo whose part file is unreliable. The next attempt sends the photo from its
    /// first byte.
    static let startsOver = "start over"
    /// The resume point of a photo whose part file is complete, but whose upload failed in a later step.
    static let isSent = "sent"

    var session: SFTPSession { connection.session }

    /// The path of the part file, which only the attempts of this upload use.
    var partPath: String { path(of: RemoteName.partPath(item, plan.temporaryName)) }

    /// Uploads the photo.
    func run() async throws -> UploadReceipt {
        guard plan.temporaryName != .final else { return try await storeInPlace() }
        let (wanted, final, part, partHandle) = try await openPart()
        // The handle that must be closed after a failure.
        var opened = partHandle
        let finalPath = path(of: wanted)
        var name = wanted
        do {
            if let final {
                // If no part exists, an earlier attempt may have renamed the part without receiving the
                // reply.
                let isRenamed = part == nil && !item.isFirstTry && wanted == RemoteName.unique(item)
                if try await isOurs(finalPath, facts: final, bySize: isRenamed) {
                    closeHandle(opened)
                    opened = nil
                    return try await alreadyExisted(name)
                }
                name = try await freeName(after: name, of: wanted)
            }
            var known = part?.bytes ?? 0
            // If the server cannot resume, the part is always a new file.
            if memory.offers(.resume), known > photo.bytes || item.resumePoint == Self.startsOver,
                let handle = opened
            {
                closeHandle(handle)
                opened = nil
                opened = try await startOver()
                known = 0
            }
            var start = known > Self.windowBytes ? known - Self.windowBytes : 0
            if item.resumePoint == Self.isSent {
                if known == photo.bytes { start = known }
                if !memory.offers(.size), memory.offers(.readBack),
                    try await compare(partPath, upTo: photo.bytes)
                {
                    start = photo.bytes
                }
            }
            if start > 0, let handle = opened {
                // OpenSSH for Windows refuses to open a file for reading while the file is open for writing.
                closeHandle(handle)
                opened = nil
                if try await isProven(upTo: start) {
                    opened = try await session.send(.open(path: partPath, mode: .write)).handle()
                } else {
                    opened = try await startOver()
                    start = 0
                }
            }
            if let handle = opened {
                opened = nil
                try await fill(handle, of: partPath, from: start)
            } else {
                progress(photo.bytes)
            }
        } catch {
            closeHandle(opened)
            throw error
        }
        let evidence = try await verify(partPath)
        return try await afterTransfer(.rename, of: partPath, named: path(of: name)) {
            try await publish(name, evidence: evidence)
        }
    }

    // MARK: Open

    /// The state at the start of the upload. The handle is `nil` if the part is complete.
    private typealias Beginning = (wanted: String, final: SFTPFacts?, part: SFTPFacts?, handle: [UInt8]?)

    private func openPart() async throws -> Beginning {
        let wanted = RemoteName.wanted(
            item, refusesTaken: plan.refusesTaken && memory.recognisesPhotos)
        if !memory.offers(.resume), !item.isFirstTry {
            // The server does not let clients write to an existing file, or closes the connection.
            if let part = try await sentPart() {
                return (wanted, try await linkFacts(of: path(of: wanted)), part, nil)
            }
            try await removePart(partPath)
        }
        let open = SFTPRequest.open(path: partPath, mode: [.write, .create])
        let names = memory.offers(.size) ? [path(of: wanted), partPath] : []
        let pending = session.send(names.map { .linkFacts(path: $0) } + [open])
        let facts = (final: names.isEmpty ? nil : pending[0], part: names.isEmpty ? nil : pending[1])
        let handle: [UInt8]
        do throws(SFTPError) { handle = try await pending[names.count].handle() } catch {
            guard case .status(_, let text) = error else { throw error }
            if try await session.isFolderMissing(of: partPath, after: error, checks: memory.offers(.size)) {
                try await makeFolders()
                return (wanted, nil, nil, try await session.send(open).handle())
            }
            if let part = facts.part { guard try await part.facts() != nil else { throw error } }
            // Deletes the part and creates it again, because some servers do not let clients write to an
            // existing file.
            try await session.send(.remove(path: partPath)).ok()
            let handle = try await session.send(open).handle()
            await memory.learn(.resume, isOffered: false, reason: text)
            return (wanted, try await linkFacts(facts.final), nil, handle)
        }
        do {
            return (wanted, try await linkFacts(facts.final), try await linkFacts(facts.part), handle)
        } catch {
            closeHandle(handle)
            throw error
        }
    }

    /// Returns the attributes of a part that an earlier attempt sent completely. Returns `nil` if the photo
    /// must be sent.
    private func sentPart() async throws -> SFTPFacts? {
        guard item.resumePoint == Self.isSent, let part = try await linkFacts(of: partPath),
            part.bytes == photo.bytes, try await isProven(upTo: photo.bytes)
        else { return nil }
        return part
    }

    /// Returns the attributes of a path, or `nil` if the path is free. If the server reports no sizes, sends
    /// no request and returns `nil`.
    func linkFacts(of path: String) async throws(SFTPError) -> SFTPFacts? {
        try await linkFacts(memory.offers(.size) ? session.send(.linkFacts(path: path)) : nil)
    }

    /// Waits for the attributes of a path. Returns `nil` if the path is free, if no request was sent, or if
    /// the server reports no attributes.
    func linkFacts(_ pending: SFTPPending?) async throws(SFTPError) -> SFTPFacts? {
        do throws(SFTPError) { return try await pending?.facts() } catch {
            guard case .status = error, !memory.offers(.size) else { throw error }
            return nil
        }
    }

    /// Returns whether the first bytes of a remote file are equal to the photo's.
    func compare(_ path: String, upTo end: UInt64) async throws -> Bool {
        try await SFTPComparison(connection: connection, photo: photo).isSame(path, upTo: end)
    }

    /// Creates the folders of the part file. All requests are sent together. Ignores refusals, because the
    /// folders may exist. Throws if the permission for the last folder is denied or the connection ends.
    func makeFolders() async throws {
        var path = partPath.hasPrefix("/") ? "/" : ""
        var sent: [SFTPPending] = []
        for folder in partPath.split(separator: "/").dropLast() {
            path += folder
            sent.append(session.send(.makeFolder(path: path)))
            path += "/"
        }
        var last: SFTPError?
        for pending in sent {
            do throws(SFTPError) {
                try await pending.ok()
                last = nil
            } catch { last = error }
        }
        if let last, case .status(.permissionDenied, _) = last { throw last }
        if last == .lost || last == .cancelled, let last { throw last }
    }

    /// Closes a handle without waiting for the reply.
    private func closeHandle(_ handle: [UInt8]?) {
        if let handle { _ = session.send(.close(handle: handle)) }
    }

    // MARK: Write

    /// Opens and empties a part file that the upload cannot resume. Close other handles of the file first,
    /// because a server may let clients open a file only once.
    private func startOver() async throws -> [UInt8] {
        let open = SFTPRequest.open(path: partPath, mode: [.write, .truncate])
        let handle = try await session.send(open).handle()
        if item.resumePoint != nil { await item.saveResumePoint(nil) }
        return handle
    }

    /// Returns whether an upload may resume after the existing bytes. After a power loss, a server may keep a
    /// file's length and lose its bytes. The existing bytes are therefore read back and compared, which costs
    /// no more than sending them again. This comparison is unnecessary if the complete photo is verified at
    /// the end.
    private func isProven(upTo end: UInt64) async throws -> Bool {
        switch settings.verification {
        case .command: return true
        case .readBack where memory.offers(.readBack): return true
        default: break
        }
        guard memory.offers(.readBack) else { return false }
        return try await compare(partPath, upTo: end)
    }

    /// Records that the next attempt must send the photo from its first byte. Then deletes the part if the
    /// server allows it.
    func discardPart(_ path: String) async throws {
        await item.saveResumePoint(Self.startsOver)
        try await removePart(path)
    }

    /// Deletes the part. A refusal is ignored. Throws if no reply arrives, because the part may still exist.
    func removePart(_ path: String) async throws {
        guard memory.offers(.remove) else { return }
        do throws(SFTPError) { try await session.send(.remove(path: path)).ok() } catch {
            guard case .status = error else { throw error }
        }
    }

    /// Writes the photo's bytes from an offset, syncs the file to the server's disk if the server supports
    /// it, and closes the handle. After a failure, the handle is also closed.
    func fill(_ handle: [UInt8], of path: String, from start: UInt64) async throws {
        var window: [(pending: SFTPPending, bytes: UInt64)] = []
        var (sent, acknowledged) = (start, start)
        func takeOldest() async throws {
            let oldest = window.removeFirst()
            try await oldest.pending.ok()
            acknowledged += oldest.bytes
            progress(acknowledged)
        }
        do {
            while sent < photo.bytes {
                let blockBytes = min(UInt64(connection.pieceBytes) * 4, photo.bytes - sent)
                let block = try await photo.read(at: sent, count: Int(blockBytes))
                try await pace?.waitForBandwidth(block.count)
                for begin in stride(from: 0, to: block.count, by: connection.pieceBytes) {
                    let piece = block[begin..<min(begin + connection.pieceBytes, block.count)]
                    let count = UInt64(piece.count)
                    while sent + count - acknowledged > Self.windowBytes { try await takeOldest() }
                    window.append((session.send(.write(handle: handle, offset: sent, bytes: piece)), count))
                    sent += count
                }
            }
        } catch {
            closeHandle(handle)
            throw error
        }
        let canSync = connection.canSync && memory.offers(.sync)
        let sync: [SFTPRequest] = canSync ? [.sync(handle: handle)] : []
        let facts: [SFTPRequest] = memory.offers(.size) ? [.handleFacts(handle: handle)] : []
        // Sets the time after the writes, because writes change the time.
        let time = timeRequest(handle)
        var replies = session.send(time + sync + facts + [.close(handle: handle)])[...]
        let timed = time.isEmpty ? nil : replies.removeFirst()
        let synced = sync.isEmpty ? nil : replies.removeFirst()
        let size = facts.isEmpty ? nil : replies.removeFirst()
        let closed = replies.removeFirst()
        // The last replies arrive together. Waiting for the last reply wakes the task only once.
        while window.count > 1 { try await takeOldest() }
        await closed.waitUntilSettled()
        while !window.isEmpty { try await takeOldest() }
        try await checkSync(synced, of: path)
        try await afterTransfer(.send, of: path) {
            if let timed { try await learnTime(timed) }
            var bytes = try await handleBytes(size)
            try await closed.ok()
            if let early = bytes, early != photo.bytes {
                // SFTPGo and other servers in Go report the size while the last writes are still running. The
                // reply to close comes after all writes.
                bytes = try await handleBytes(session.send(.linkFacts(path: path))) ?? early
            }
            guard bytes == nil || bytes == photo.bytes else {
                throw wrong("has \(bytes ?? 0) bytes instead of \(photo.bytes)")
            }
        }
    }

    /// Waits for the size of an open file. Returns `nil` if the server does not report the size. The size is
    /// requested again after the rename.
    private func handleBytes(_ pending: SFTPPending?) async throws(SFTPError) -> UInt64? {
        do throws(SFTPError) { return try await pending?.facts()?.bytes } catch {
            guard case .status = error else { throw error }
            return nil
        }
    }

    func wrong(_ what: String) -> UploadFailure {
        UploadFailure(.transient, "the copy \(what)")
    }

    func path(of name: String) -> String { settings.path(of: name) }
}

/// A refusal from the server, with the refused step.
struct SFTPStepError: Error {
    var step: UploadStep
    var path: String
    var error: SFTPError
}

extension SFTPSettings {
    /// Returns the path on the server for a name in the destination's folder.
    func path(of name: String) -> String {
        switch folder.last {
        case nil: name
        case "/": folder + name
        default: folder + "/" + name
        }
    }
}
