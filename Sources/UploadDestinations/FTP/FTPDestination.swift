public import UploadEngine

/// Uploads to an FTP server: to a hidden part name, verified there, then renamed to a name that is free.
///
/// "226 Transfer complete" is not believed: over TLS 1.3 servers were seen to say it of files that they had cut. Size
/// is asked for after every transfer, and the checksum where the server offers one.
public actor FTPDestination: UploadDestination {
    let settings: FTPSettings
    private let talk: FTPTalk
    private var features: FTPFeatures?

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
        let file = try LocalFile(item)
        let features = try await knownFeatures()
        let (folder, name) = RemoteName.split(item.remoteName)
        let part = RemoteName.part(of: name, job: item.jobID)
        let mark = "part \(part) of \(item.sha256)"
        var offset: UInt64 = 0
        if item.resumePoint == mark {
            let there = try? await ask(folder, ["*SIZE \(part)"]).first.flatMap { FTPTalk.size($0) }
            offset = min(there ?? 0, item.bytes)
        } else {
            await item.saveResumePoint(mark)
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
        let proof = try await verify(item, folder, part, features, replies)
        return try await publish(item, folder, part, proof)
    }

    private func verify(
        _ item: UploadItem, _ folder: String, _ part: String, _ features: FTPFeatures, _ replies: [String]
    ) async throws(UploadFailure) -> (UploadReceipt.Proof, String) {
        let size = FTPTalk.size(replies.first)
        if let size, size < item.bytes {
            // What is there is a beginning of the photo: the next attempt goes on behind it.
            throw UploadFailure(
                .faulty, "\(talk.place) said that it has the photo, and has \(size) of \(item.bytes) bytes.")
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
                if size == nil || settings.verification.readsBack(encrypted: encrypted) {
                    isWhole = try await hasPhoto(item, folder, part)
                    (proof, evidence) = (.checksum, "sha256 \(item.sha256) read back")
                }
            }
        }
        guard isWhole else {
            await item.saveResumePoint(nil)
            _ = try await ask(folder, ["*DELE \(part)"])
            throw UploadFailure(.faulty, "The photo arrived at \(talk.place) changed.")
        }
        return (proof, evidence)
    }

    /// Gives the part its final name. FTP's rename replaces: whether a name is free is asked right before.
    private func publish(
        _ item: UploadItem, _ folder: String, _ part: String, _ proof: (UploadReceipt.Proof, String)
    ) async throws(UploadFailure) -> UploadReceipt {
        for number in 0...RemoteName.mostSuffixes {
            let candidate = RemoteName.candidate(item.remoteName, number)
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
            _ = try await ask(folder, ["RNFR \(part)", "RNTO \(file)"])
            await item.saveResumePoint(nil)
            return UploadReceipt(remoteName: candidate, proof: proof.0, evidence: proof.1)
        }
        throw RemoteName.allTaken(item.remoteName, talk.place)
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
                .hopeless(.misconfigured), "The destination's host or path cannot be used.",
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

    /// Idle connections are closed.
    public func close() async { talk.closeIdle() }
}
