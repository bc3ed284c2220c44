public import UploadEngine

/// Uploads to an FTP server: to a hidden part name, verified there, then renamed to a name that is free, and verified
/// once more under that. Most servers replace what has the name: there photos get names that nobody else makes.
///
/// "226 Transfer complete" is not believed: over TLS 1.3 servers were seen to say it of files that they had cut. Size
/// is asked for after every transfer, and the checksum where the server offers one.
public actor FTPDestination: UploadDestination {
    let settings: FTPSettings
    private let talk: FTPTalk
    private var features: FTPFeatures?
    private let takenNames = TakenNames()

    /// Creates a destination.
    public init(_ settings: FTPSettings) {
        self.settings = settings
        talk = FTPTalk(settings)
    }

    /// Uploads a photo, and goes on where an earlier attempt ended.
    public func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        try check()
        try RemoteName.check(item.remoteName)
        let file = try PhotoFile(item)
        let features = try await knownFeatures()
        let (folder, _) = RemoteName.split(item.remoteName)
        let part = RemoteName.part(item)
        var offset: UInt64 = 0
        if item.resumePoint == mark(part) {
            let there = try? await ask(folder, ["*SIZE \(part)"]).first.flatMap { FTPTalk.size($0) }
            offset = min(there ?? 0, item.bytes)
        } else {
            // A part of before this one had its name: this job's, by its bytes.
            if let former = formerPart(item) { _ = try? await ask(folder, ["*DELE \(former)"]) }
            await item.saveResumePoint(mark(part))
        }
        let questions = ["*SIZE \(part)"] + features.checksumCommands(part)
        var replies: [String]
        if offset < item.bytes || offset == 0 {
            let start = offset
            let answer = try await talk.perform(
                .store(appends: start > 0), talk.url(folder: folder, file: part),
                body: .photo(file, from: start), after: questions, progress: { progress(start + $0) })
            replies = answer.replies.suffix(questions.count)
        } else {
            replies = try await ask(folder, questions)
        }
        let proof = try await verify(item, folder, part, features, replies, isResumed: offset > 0)
        let wanted = try await takenNames.name(item) { () throws(UploadFailure) in
            try await self.refusesTaken(item, folder)
        }
        return try await publish(item, folder, part, proof, wanted)
    }

    /// Renames one small file to the name of another.
    private func refusesTaken(_ item: UploadItem, _ folder: String) async throws(UploadFailure) -> Bool {
        let (first, second) = RemoteName.trials(item)
        for name in [first, second] {
            _ = try await talk.perform(
                .store(appends: false), talk.url(folder: folder, file: name), body: .text(TakenNames.text))
        }
        let replies = try await ask(folder, ["*RNFR \(first)", "*RNTO \(second)"])
        _ = try await ask(folder, ["*DELE \(first)", "*DELE \(second)"])
        return replies.first?.hasPrefix("3") == true && replies.last?.hasPrefix("5") == true
    }

    private func mark(_ part: String) -> String { "part \(part)" }

    /// The part that an earlier version noted for this photo.
    private func formerPart(_ item: UploadItem) -> String? {
        let end = " of \(item.sha256)"
        guard let point = item.resumePoint, point.hasPrefix("part ."), point.hasSuffix(end) else {
            return nil
        }
        let name = String(point.dropFirst("part ".count).dropLast(end.count))
        return name.contains { $0.isNewline || $0 == "/" } ? nil : name
    }

    private func verify(
        _ item: UploadItem, _ folder: String, _ part: String, _ features: FTPFeatures, _ replies: [String],
        isResumed: Bool
    ) async throws(UploadFailure) -> (UploadReceipt.Proof, String) {
        let size = FTPTalk.size(replies.first)
        if let size, size < item.bytes {
            // What is there is a beginning of the photo: the next attempt goes on behind it.
            throw UploadFailure(
                .transient,
                "\(talk.place) said that it has the photo, and has \(size) of \(item.bytes) bytes.")
        }
        var isWhole = size == item.bytes
        var evidence = "size \(item.bytes)"
        var proof = UploadReceipt.Proof.size
        if isWhole || size == nil {
            switch features.checksumMatches(replies.last, item) {
            case true?: (isWhole, proof, evidence) = (true, .checksum, "sha256 \(item.sha256) by HASH")
            case false?: isWhole = false
            case nil:
                let encrypted = settings.encryption != .none && !settings.connection.insecure
                // A server that lost its power may have kept the length of what was there, and lost its bytes.
                if size == nil || isResumed || settings.verification.readsBack(encrypted: encrypted) {
                    isWhole = try await hasPhoto(item, folder, part)
                    (proof, evidence) = (.checksum, "sha256 \(item.sha256) read back")
                }
            }
        }
        guard isWhole else {
            await item.saveResumePoint(nil)
            _ = try await ask(folder, ["*DELE \(part)"])
            throw UploadFailure(.transient, "The photo arrived at \(talk.place) changed.")
        }
        return (proof, evidence)
    }

    /// Gives the part its final name. FTP's rename replaces nearly everywhere: whether a name is free is asked right
    /// before, and what has it then is held against what was verified.
    private func publish(
        _ item: UploadItem, _ folder: String, _ part: String, _ proof: (UploadReceipt.Proof, String),
        _ wanted: String
    ) async throws(UploadFailure) -> UploadReceipt {
        for number in 0...RemoteName.mostSuffixes {
            let candidate = RemoteName.candidate(wanted, number)
            let file = RemoteName.split(candidate).file
            let replies = try await ask(folder, ["*SIZE \(file)", "*MDTM \(file)"])
            let size = FTPTalk.size(replies.first)
            let isTaken = replies.contains { $0.hasPrefix("213") }
            if isTaken {
                guard size == nil || size == item.bytes, try await hasPhoto(item, folder, file) else {
                    continue
                }
                _ = try await ask(folder, ["*DELE \(part)"])
                await item.saveResumePoint(nil)
                return UploadReceipt(
                    remoteName: candidate, proof: .checksum, evidence: "sha256 \(item.sha256) read back",
                    wasThere: true)
            }
            let renamed = try await ask(
                folder, ["*MDTM \(part)", "RNFR \(part)", "RNTO \(file)", "*SIZE \(file)", "*MDTM \(file)"])
            await item.saveResumePoint(nil)
            guard try await isStill(item, folder, file, renamed) else {
                throw UploadFailure(
                    .transient,
                    "Something else has the name \(candidate) at \(talk.place) now: another one is taken.")
            }
            return UploadReceipt(remoteName: candidate, proof: proof.0, evidence: proof.1)
        }
        throw RemoteName.allTaken(item.remoteName, talk.place)
    }

    /// Whether the file that was verified is what has the final name: by size and time, which a rename keeps, or by
    /// its bytes where the server does not tell these.
    private func isStill(
        _ item: UploadItem, _ folder: String, _ file: String, _ replies: [String]
    ) async throws(UploadFailure) -> Bool {
        guard replies.count == 5, let size = FTPTalk.size(replies[3]) else {
            return try await hasPhoto(item, folder, file)
        }
        guard size == item.bytes else { return false }
        if replies[0].hasPrefix("213"), replies[0] == replies[4] { return true }
        return try await hasPhoto(item, folder, file)
    }

    private func hasPhoto(
        _ item: UploadItem, _ folder: String, _ file: String
    ) async throws(UploadFailure) -> Bool {
        let answer = try await talk.perform(.retrieve, talk.url(folder: folder, file: file), sink: .hashed)
        return answer.hashed?.bytes == item.bytes && answer.hashed?.sha256 == item.sha256
    }

    /// Commands in a folder.
    ///
    /// - Returns: The replies to them, in order.
    private func ask(_ folder: String, _ commands: [String]) async throws(UploadFailure) -> [String] {
        // Some servers tell no size under TYPE A, which is what a new connection begins with.
        let answer = try await talk.perform(
            .enter, talk.url(folder: folder, file: ""), after: ["*TYPE I"] + commands)
        return answer.replies.suffix(commands.count)
    }

    private func knownFeatures() async throws(UploadFailure) -> FTPFeatures {
        if let features { return features }
        // In the login folder: the destination's own may have to be made first.
        let answer = try await talk.perform(.enter, "\(talk.place)/", after: ["*FEAT"])
        let found = FTPFeatures(lines: answer.headers.map(\.value))
        features = found
        return found
    }

    nonisolated func check() throws(UploadFailure) {
        let isHost = !settings.host.isEmpty && !settings.host.contains { "/@?# ".contains($0) }
        guard isHost, !settings.path.utf8.contains(where: { $0 < 32 }) else {
            throw UploadFailure(
                .permanent(.misconfigured), "The destination's host or path cannot be used.",
                nextStep: "Give a host name or address, and a path without control characters.")
        }
    }

    /// Signs in.
    public func probe() async throws(UploadFailure) {
        try check()
        _ = try await talk.perform(.enter, "\(talk.place)/", after: ["NOOP"])
    }

    /// Deletes it.
    public func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        let (folder, file) = RemoteName.split(name)
        _ = try await ask(folder, ["DELE \(file)"])
    }

    /// See ``UploadDestination/replacesTakenNames()``.
    public func replacesTakenNames() async -> Bool? { await takenNames.known.map { !$0 } }

    /// Idle connections are closed.
    public func close() async { talk.closeIdle() }
}
