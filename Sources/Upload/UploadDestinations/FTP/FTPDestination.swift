import FrameFastModel
import UploadEngine

/// A destination on an FTP server. An upload stores a photo under a hidden temporary name and verifies the
/// file. Then the upload renames the file to a free name, and verifies the file again. Most servers replace
/// existing files. On such servers, photos have unique names, unless a user-defined template names them.
///
/// The reply "226 Transfer complete" is no proof: over TLS 1.3, some servers sent this reply for truncated
/// files. After every transfer, the destination therefore requests the size and a checksum, if the server
/// offers them.
actor FTPDestination: UploadDestination {
    let settings: FTPSettings
    let client: FTPClient
    /// The features that the server lists, or `nil` before the first request.
    var features: FTPFeatures?
    let memory: DestinationMemory
    /// Returns the time limit for the checksum of a file of `bytes` bytes.
    let checksumTime: @Sendable (_ bytes: UInt64) -> Duration
    private let plans = TransferPlans()
    /// The number of consecutive photos that were corrupted after a resume from an offset.
    private var changedAfterRestart = 0

    init(
        _ settings: FTPSettings, memory: DestinationMemory = DestinationMemory(),
        checksumTime: @escaping @Sendable (_ bytes: UInt64) -> Duration = { ChecksumTime.limit(bytes: $0) }
    ) {
        self.settings = settings
        self.memory = memory
        self.checksumTime = checksumTime
        client = FTPClient(settings)
    }

    /// Uploads a photo. Resumes an earlier attempt if possible.
    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        try check()
        try RemoteName.check(item.remoteName)
        let file = try PhotoFile(item)
        await prepare(item)
        return try await plans.upload { () throws(UploadFailure) in
            try await FeatureTrial(server: self, memory: self.memory, item: item)
                .run(testsTaken: !item.isNameChosen)
        } _: { plan throws(UploadFailure) in
            let receipt = try await self.upload(file, item, plan, progress)
            await self.setTime(of: receipt, to: file.capturedAt)
            return receipt
        }
    }

    private func upload(
        _ file: PhotoFile, _ item: UploadItem, _ plan: TransferPlan,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let wanted = RemoteName.wanted(
            item, refusesTaken: plan.refusesTaken && memory.recognisesPhotos)
        guard plan.temporaryName != .final else {
            let receipt = try await storeInPlace(file, item, wanted, progress)
            if plan.isUnproven {
                await memory.learn(
                    .rename, isOffered: false, reason: "\(client.place) does not allow temporary names.")
            }
            return receipt
        }
        let (folder, _) = RemoteName.split(item.remoteName)
        let part = RemoteName.part(item, plan.temporaryName)
        var offset: UInt64 = 0
        if item.resumePoint == partResumePoint(part) {
            offset = try await sentBytes(folder, part, of: item)
            // An earlier attempt may have renamed the part without receiving the reply.
            if offset == 0, let receipt = try await renamedReceipt(item, wanted) { return receipt }
        } else {
            await item.saveResumePoint(partResumePoint(part))
        }
        offset = try await provableOffset(offset, of: item, folder, part)
        // Does not try to resume on a server that can't resume, because the server may close the connection.
        if offset < item.bytes, !memory.offers(.resume) { offset = 0 }
        // Deletes the part first, because some servers do not let clients replace a file.
        if offset == 0, item.resumePoint == partResumePoint(part), memory.offers(.remove) {
            _ = try? await sendCommands(folder, ["*DELE \(part)"])
        }
        let proof = try await send(file, item, folder, part, from: offset, progress)
        return try await publish(item, folder, part, proof, wanted)
    }

    /// Sends a photo from an offset, and verifies the complete file.
    func send(
        _ file: PhotoFile, _ item: UploadItem, _ folder: String, _ name: String, from start: UInt64,
        _ progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> (UploadReceipt.Proof, String) {
        let size = sizeCommand(name)
        var replies: [String]
        var isRestarted = false
        if start < item.bytes || start == 0 {
            let mode: CurlRequest.StoreMode =
                start == 0 ? .whole : memory.offers(.append) ? .append : .restart(at: start)
            do throws(UploadFailure) {
                let response = try await client.perform(
                    .store(mode), client.url(folder: folder, file: name),
                    body: .photo(file, from: start), after: size, at: start > 0 ? .resume : .send,
                    progress: { progress(start + $0) })
                replies = response.replies.suffix(size.count)
                isRestarted = mode != .whole && mode != .append
            } catch {
                guard start > 0, case .permanent = error.kind, error.mayConcernOneRequest else { throw error }
                if mode == .append {
                    await memory.learn(.append, isOffered: false, reason: error.sentence)
                    return try await send(file, item, folder, name, from: start, progress)
                }
                return try await sendWhole(file, item, folder, name, because: error.sentence, progress)
            }
            // Replaces the file only if no other upload uses its name. Otherwise, the file may now belong to
            // another installation.
            if start > 0, !size.isEmpty, let bytes = FTPClient.size(replies.first), bytes < item.bytes,
                bytes < start || bytes == item.bytes - start,
                RemoteName.isOnlyOurs(RemoteName.path(folder, name), of: item)
            {
                let reason = "\(client.place) replaces a file instead of resuming it."
                return try await sendWhole(file, item, folder, name, because: reason, progress)
            }
        } else {
            progress(item.bytes)
            replies = try await sendCommands(folder, size)
        }
        let reportedSize = size.isEmpty ? nil : FTPClient.size(replies.first)
        return try await verify(
            file, item, folder, name, size: reportedSize, isResumed: start > 0, isRestarted: isRestarted)
    }

    func partResumePoint(_ part: String) -> String { "part \(part)" }

    private func verify(
        _ photo: PhotoFile, _ item: UploadItem, _ folder: String, _ part: String, size: UInt64?,
        isResumed: Bool, isRestarted: Bool
    ) async throws(UploadFailure) -> (UploadReceipt.Proof, String) {
        if let size, size < item.bytes {
            // The file is the beginning of the photo. The next attempt resumes it.
            throw UploadFailure(
                .transient,
                "\(client.place) confirmed the photo, but has only \(size) of \(item.bytes) bytes.")
        }
        var isWhole = size == item.bytes
        var evidence = "size \(item.bytes)"
        var proof = UploadReceipt.Proof.size
        if isWhole || size == nil {
            switch try await checksumMatches(item, folder, part) {
            case true?: (isWhole, proof, evidence) = (true, .checksum, "sha256 \(item.sha256) by HASH")
            case false?: isWhole = false
            case nil:
                let encrypted = settings.encryption != .none && !settings.connection.insecure
                // After a power loss, a server may keep a file's length and lose its bytes.
                if memory.offers(.readBack) {
                    if size == nil || isResumed || settings.verification.readsBack(encrypted: encrypted) {
                        isWhole = try await hasPhoto(item, folder, part)
                        (proof, evidence) = (.checksum, "sha256 \(item.sha256) read back")
                    }
                } else if size == nil {
                    (isWhole, proof, evidence) = (true, .word, UploadReceipt.notVerified)
                }
            }
        }
        guard isWhole else {
            await item.saveResumePoint(nil)
            // Deletes the file only if no other upload uses its name. Otherwise, the file may now belong to
            // another installation.
            if RemoteName.isOnlyOurs(RemoteName.path(folder, part), of: item) {
                _ = try await sendCommands(folder, ["*DELE \(part)"])
            }
            try await photo.checkUnchanged(item)
            // `isRestarted`: the server can't append, so the upload resumed from an offset. If two such
            // photos in a row are corrupted, later uploads to this server do not resume. A single corrupted
            // photo may have a different cause.
            if isRestarted { changedAfterRestart += 1 }
            if isRestarted, changedAfterRestart > 1 {
                let reason = "\(client.place) corrupts a file that is resumed from an offset."
                await memory.learn(.resume, isOffered: false, reason: reason)
            }
            throw UploadFailure(.transient, "The photo arrived at \(client.place) corrupted.")
        }
        if isRestarted { changedAfterRestart = 0 }
        return (proof, evidence)
    }

    /// Renames the part to its final name. On nearly all servers, the rename replaces an existing file.
    /// Directly before the rename, the function therefore checks that the name is free. After the rename, it
    /// checks that the name belongs to the verified file.
    private func publish(
        _ item: UploadItem, _ folder: String, _ part: String, _ proof: (UploadReceipt.Proof, String),
        _ wanted: String
    ) async throws(UploadFailure) -> UploadReceipt {
        for number in 0...RemoteName.suffixesMax {
            let candidate = RemoteName.candidate(wanted, number)
            let file = RemoteName.split(candidate).file
            let existing = try await facts(folder, file, of: item)
            if existing.isTaken {
                if try await isPhoto(item, existing, folder, file) {
                    if memory.offers(.remove) { _ = try await sendCommands(folder, ["*DELE \(part)"]) }
                    await item.saveResumePoint(nil)
                    return existingPhotoReceipt(item, candidate)
                }
                let isOnlyOurs = RemoteName.isOnlyOurs(candidate, of: item)
                guard memory.replacesUnseen(item, isOnlyOurs: isOnlyOurs) else { continue }
                if memory.offers(.remove) { _ = try await sendCommands(folder, ["*DELE \(file)"]) }
            }
            let (before, size, time) = (timeCommand(part), sizeCommand(file), timeCommand(file))
            let commands = before + ["*RNFR \(part)", "*RNTO \(file)"] + size + time
            let replies = try await sendCommands(folder, commands)
            let (from, to) = (before.count, before.count + 1)
            let isWhole = replies.count == commands.count
            guard isWhole, replies[from].hasPrefix("3"), replies[to].hasPrefix("2") else {
                let reply = isWhole ? replies[replies[from].hasPrefix("3") ? to : from] : replies.last
                throw client.refusal(reply, at: .rename, candidate)
            }
            let now = FTPFacts(
                replies[(to + 1)...], hasSize: !size.isEmpty, hasTime: !time.isEmpty)
            // If this check throws, the next attempt repeats the check, because the photo already has its
            // final name.
            let isVerifiedFile = try await isVerifiedFile(
                item, folder, file, before.isEmpty ? nil : replies.first, now)
            await item.saveResumePoint(nil)
            guard isVerifiedFile else {
                throw UploadFailure(
                    .transient,
                    "The name \(candidate) at \(client.place) is already in use. FrameFast uses another name."
                )
            }
            return UploadReceipt(remoteName: candidate, proof: proof.0, evidence: proof.1)
        }
        throw RemoteName.allTaken(item.remoteName, client.place)
    }

    /// Returns whether the final name belongs to the verified file. Compares size and time, which do not
    /// change in a rename. If the size is equal or unknown, and the time differs or is unknown, reads the
    /// file back if the server permits it.
    private func isVerifiedFile(
        _ item: UploadItem, _ folder: String, _ file: String, _ time: String?, _ now: FTPFacts
    ) async throws(UploadFailure) -> Bool {
        if let bytes = now.bytes {
            guard bytes == item.bytes else { return false }
            if let time, time.hasPrefix("213"), time == now.time { return true }
        }
        guard memory.offers(.readBack) else { return true }
        return try await hasPhoto(item, folder, file)
    }

    /// Sends commands in a folder.
    ///
    /// - Parameters:
    ///   - makesFolders: Whether to create a missing folder. Pass `false` for a removal.
    ///   - silenceMax: The longest wait for each reply, or `nil` for the default.
    ///   - onTurn: Called when a connection becomes available.
    /// - Returns: The replies to the commands, in order.
    func sendCommands(
        _ folder: String, _ commands: [String], makesFolders: Bool = true, silenceMax: Duration? = nil,
        onTurn: (@Sendable () -> Void)? = nil
    ) async throws(UploadFailure) -> [String] {
        // The commands need TYPE I, because some servers report no size in TYPE A, the default of a new
        // connection.
        let response = try await client.perform(
            .enter, client.url(folder: folder, file: ""), after: ["*TYPE I"] + commands,
            makesFolders: makesFolders, silenceMax: silenceMax, onTurn: onTurn)
        return response.replies.suffix(commands.count)
    }

    nonisolated func check() throws(UploadFailure) {
        guard !settings.host.contains("@") else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "The destination's host contains a user or password: \(ClearTextSecrets.userAdvice).",
                nextStep: "Set 'host' to the host name or address only.")
        }
        let isHost = !settings.host.isEmpty && !settings.host.contains { "/@?# ".contains($0) }
        guard isHost, !settings.path.utf8.contains(where: { $0 < 32 }) else {
            throw UploadFailure(
                .permanent(.misconfigured), "The destination's host or path cannot be used.",
                nextStep: "Give a host name or address, and a path without control characters.")
        }
    }

    /// Signs in and sends PWD. libcurl sends PWD after each login, so uploads would also fail if the server
    /// refused PWD.
    func probe() async throws(UploadFailure) {
        try check()
        _ = try await client.perform(.enter, "\(client.place)/", after: ["*PWD"])
    }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        try await remove(name)
    }

    /// Discards the transfer plan and the server's feature list.
    func relearnFeatures() async {
        features = nil
        await plans.reset()
    }

    func replacesTakenNames() async -> Bool? { await plans.refusesTaken.map { !$0 } }

    func close() async { client.closeIdle() }
}
