import FrameFastModel
import FrameFastSystem
import Synchronization
import UploadEngine

/// The file commands that an FTP server lists in its reply to FEAT.
struct FTPFeatures: Hashable, Sendable {
    /// The command that requests a SHA-256.
    enum Checksum: Hashable, Sendable {
        /// `XSHA256 name` (older servers).
        case xsha256
        /// `HASH name` after SHA-256 was selected (draft-bryan-ftpext-hash).
        case hash
    }

    var checksum: Checksum?
    /// Whether the server sets modification times with MFMT (draft-somers-ftp-mfxx).
    var takesTime = false
    /// Whether the server reads names as UTF-8 (RFC 2640). Some servers do so only after `OPTS UTF8 ON`.
    var takesUTF8 = false

    /// - Parameter lines: The lines of the reply.
    init(lines: [String]) {
        for line in lines.map({ $0.uppercased() }) {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "-" && line.hasPrefix("211-") })
            guard let feature = words.first(where: { $0 != "211" }) else { continue }
            if feature == "HASH" && line.contains("SHA-256") { checksum = .hash }
            if feature == "XSHA256" && checksum == nil { checksum = .xsha256 }
            if feature == "MFMT" { takesTime = true }
            if feature == "UTF8" { takesUTF8 = true }
        }
    }

    /// Returns the commands that request a file's checksum. The last reply contains the checksum.
    func checksumCommands(_ file: String) -> [String] {
        switch checksum {
        case nil: []
        case .xsha256: ["*XSHA256 \(file)"]
        case .hash: ["*OPTS HASH SHA-256", "*HASH \(file)"]
        }
    }

    /// Returns whether the checksum in a reply matches the photo, or `nil` if the reply contains no checksum.
    func checksumMatches(_ reply: String?, _ item: UploadItem) -> Bool? {
        guard checksum != nil, let reply, reply.hasPrefix("2"), item.sha256.utf8.count == 64 else {
            return nil
        }
        // A file name may look like a checksum. In the replies to XSHA256 and HASH, the checksum is a
        // separate word before the name.
        let sums = reply.lowercased().split(separator: " ").filter {
            $0.utf8.count == 64 && Hex.bytes(String($0)) != nil
        }
        guard let sum = sums.first else { return nil }
        return String(sum) == item.sha256
    }
}

extension FTPDestination {
    /// Returns the features that the server lists. Sends no FEAT if the server has no feature list, because
    /// such a server might close the connection.
    func knownFeatures() async throws(UploadFailure) -> FTPFeatures {
        if let features { return features }
        guard memory.offers(.featureList) else { return FTPFeatures(lines: []) }
        return try await requestFeatures().features
    }

    /// Requests the feature list and stores the result.
    ///
    /// - Returns: The features, and the server's reply.
    func requestFeatures() async throws(UploadFailure) -> (features: FTPFeatures, reply: String?) {
        // Runs in the login folder, because the destination's folder may not exist yet.
        let response = try await client.perform(
            .enter, "\(client.place)/", after: ["*FEAT"], at: .listFeatures)
        let found = FTPFeatures(lines: response.headers.map(\.value))
        features = found
        client.turnsOnUTF8.store(found.takesUTF8, ordering: .relaxed)
        return (found, response.replies.last)
    }

    /// Requests the feature list before the first name that is not ASCII, because the list decides whether
    /// ``FTPClient/turnsOnUTF8`` applies. A failure is ignored, because the trial handles it.
    func prepare(_ item: UploadItem) async {
        guard (settings.path + item.remoteName).utf8.contains(where: { $0 >= 0x80 }) else { return }
        _ = try? await knownFeatures()
    }

    /// Returns the commands that request a file's checksum, or an empty array if the server offers no
    /// checksum.
    func knownChecksumCommands(_ file: String) async throws(UploadFailure) -> [String] {
        memory.offers(.serverChecksum) ? try await knownFeatures().checksumCommands(file) : []
    }

    /// Returns whether the server's checksum of a file matches the photo, or `nil` if the server reports no
    /// checksum.
    ///
    /// The server sends no data while it reads the file. The checksum of a movie takes longer than other
    /// replies. Checksums therefore have a separate time limit. If the server exceeds this limit but then
    /// replies to a different request, the destination requests no more checksums from this server.
    func checksumMatches(
        _ item: UploadItem, _ folder: String, _ file: String
    ) async throws(UploadFailure) -> Bool? {
        let commands = try await knownChecksumCommands(file)
        guard !commands.isEmpty else { return nil }
        let features = try await knownFeatures()
        let limit = checksumTime(item.bytes)
        let activity = UploadActivity.current
        let clock = HostClock.system
        // The time limit starts when a connection becomes available.
        let turn = Mutex<(end: Double, reports: Task<Void, Never>)?>(nil)
        defer { turn.withLock { $0?.reports.cancel() } }
        do throws(UploadFailure) {
            let replies = try await sendCommands(
                folder, commands, silenceMax: limit,
                onTurn: {
                    turn.withLock {
                        $0 = (
                            end: clock.awakeTime() + limit / .seconds(1),
                            reports: activity.keepReporting(for: limit)
                        )
                    }
                })
            return features.checksumMatches(replies.last, item)
        } catch {
            guard error.isOutage, let end = turn.withLock({ $0?.end }), clock.awakeTime() >= end else {
                throw error
            }
            _ = try await sendCommands(folder, [])
            let reason =
                "\(client.place) did not return a checksum of a file of \(item.bytes) bytes within \(limit.wholeSeconds) s."
            await memory.learn(.serverChecksum, isOffered: false, reason: reason)
            return nil
        }
    }
}
