import FrameFastModel
import Synchronization
import UploadEngine

/// The commands that an FTP server offers for a stored file, from its answer to FEAT.
struct FTPFeatures: Hashable, Sendable {
    /// How the server is asked for SHA-256.
    enum Checksum: Hashable, Sendable {
        /// `XSHA256 name` (older servers).
        case xsha256
        /// `HASH name` with SHA-256 chosen (draft-bryan-ftpext-hash).
        case hash
    }

    var checksum: Checksum?
    /// Whether the server takes a file's modification time by MFMT (draft-somers-ftp-mfxx).
    var takesTime = false

    /// - Parameter lines: Lines of the answer.
    init(lines: [String]) {
        for line in lines.map({ $0.uppercased() }) {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "-" && line.hasPrefix("211-") })
            guard let feature = words.first(where: { $0 != "211" }) else { continue }
            if feature == "HASH" && line.contains("SHA-256") { checksum = .hash }
            if feature == "XSHA256" && checksum == nil { checksum = .xsha256 }
            if feature == "MFMT" { takesTime = true }
        }
    }

    /// What to ask for a file's checksum; its reply is the last one.
    func checksumCommands(_ file: String) -> [String] {
        switch checksum {
        case nil: []
        case .xsha256: ["*XSHA256 \(file)"]
        case .hash: ["*OPTS HASH SHA-256", "*HASH \(file)"]
        }
    }

    /// Whether the reply has the photo's checksum; `nil` when it says nothing of it.
    func checksumMatches(_ reply: String?, _ item: UploadItem) -> Bool? {
        guard checksum != nil, let reply, reply.hasPrefix("2"), item.sha256.utf8.count == 64 else {
            return nil
        }
        // A name may look like a checksum: only what stands before it counts, and HASH has it as a word of its own.
        let sums = reply.lowercased().split(separator: " ").filter {
            $0.utf8.count == 64 && Hex.bytes(String($0)) != nil
        }
        guard let sum = sums.first else { return nil }
        return String(sum) == item.sha256
    }
}

extension FTPDestination {
    /// The features that the server lists. A server that gives no list is not asked for it: it may end the connection.
    func knownFeatures() async throws(UploadFailure) -> FTPFeatures {
        if let features { return features }
        guard memory.offers(.featureList) else { return FTPFeatures(lines: []) }
        return try await askFeatures().features
    }

    /// Asks for the list of features, and keeps it.
    ///
    /// - Returns: The features, and the server's reply.
    func askFeatures() async throws(UploadFailure) -> (features: FTPFeatures, reply: String?) {
        // In the login folder: the destination's own may have to be made first.
        let answer = try await talk.perform(
            .enter, "\(talk.place)/", after: ["*FEAT"], at: .listFeatures)
        let found = FTPFeatures(lines: answer.headers.map(\.value))
        features = found
        return (found, answer.replies.last)
    }

    /// The commands that ask for a file's checksum; empty if the server computes none.
    func checksumQuestions(_ file: String) async throws(UploadFailure) -> [String] {
        memory.offers(.serverChecksum) ? try await knownFeatures().checksumCommands(file) : []
    }

    /// Whether the server's checksum of a file is the photo's; `nil` if the server tells none.
    ///
    /// The server says nothing while it reads the file, for a movie longer than any other reply may take. A server that takes
    /// longer still, and then answers another request, is not asked for checksums any more.
    func checksumMatches(
        _ item: UploadItem, _ folder: String, _ file: String
    ) async throws(UploadFailure) -> Bool? {
        let commands = try await checksumQuestions(file)
        guard !commands.isEmpty else { return nil }
        let features = try await knownFeatures()
        let limit = checksumTime(item.bytes)
        let activity = UploadActivity.current
        // The time that a request waits for a connection is not the server's.
        let turn = Mutex<(end: SuspendingClock.Instant, reports: Task<Void, Never>)?>(nil)
        defer { turn.withLock { $0?.reports.cancel() } }
        do throws(UploadFailure) {
            let replies = try await ask(
                folder, commands, silenceMax: limit,
                onTurn: {
                    turn.withLock {
                        $0 = (
                            end: SuspendingClock.now + limit, reports: activity.keepReporting(for: limit)
                        )
                    }
                })
            return features.checksumMatches(replies.last, item)
        } catch {
            guard error.isOutage, let end = turn.withLock({ $0?.end }), SuspendingClock.now >= end else {
                throw error
            }
            _ = try await ask(folder, [])
            let reason =
                "\(talk.place) tells no checksum of a file of \(item.bytes) bytes within \(limit.wholeSeconds) s."
            await memory.learn(.serverChecksum, isOffered: false, reason: reason)
            return nil
        }
    }
}
