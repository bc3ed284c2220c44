import Crypto
import Foundation
import FrameFastModel
import UploadEngine

extension FTPDestination: TrialServer {
    func store(_ name: String) async throws(UploadFailure) {
        let (folder, file) = RemoteName.split(name)
        _ = try await client.perform(
            .store(.whole), client.url(folder: folder, file: file), body: .text(TrialFile.text))
    }

    func size(_ name: String) async throws(UploadFailure) -> UInt64? {
        let (folder, file) = RemoteName.split(name)
        let reply = try await sendCommands(folder, ["*SIZE \(file)"]).last
        guard reply?.hasPrefix("2") == true else { throw client.refusal(reply, at: .look, name) }
        return FTPClient.size(reply)
    }

    func readsBack(_ name: String) async throws(UploadFailure) -> Bool {
        let (folder, file) = RemoteName.split(name)
        let response = try await client.perform(
            .retrieve, client.url(folder: folder, file: file), sink: .hashed, at: .readBack,
            asksForSize: memory.offers(.size))
        return response.hashed?.bytes == TrialFile.bytes
    }

    func listsFeatures() async throws(UploadFailure) -> Bool? {
        let reply = try await requestFeatures().reply
        guard reply?.hasPrefix("2") == true else { throw client.refusal(reply, at: .listFeatures, "") }
        return true
    }

    func reportsTime(_ name: String) async throws(UploadFailure) -> Bool? {
        let (folder, file) = RemoteName.split(name)
        let reply = try await sendCommands(folder, ["*MDTM \(file)"]).last
        guard reply?.hasPrefix("213") == true else { throw client.refusal(reply, at: .readTime, name) }
        return true
    }

    func reportsChecksum(_ name: String) async throws(UploadFailure) -> Bool? {
        let (folder, file) = RemoteName.split(name)
        let commands = try await knownFeatures().checksumCommands(file)
        guard !commands.isEmpty else { return nil }
        let reply = try await sendCommands(folder, commands).last
        guard reply?.hasPrefix("2") == true else { throw client.refusal(reply, at: .checksum, name) }
        return true
    }

    /// Returns whether the server appends to a file. Returns `false` if the server replaces the file, and
    /// `true` if the server does not report the file's size.
    func appends(_ name: String) async throws(UploadFailure) -> Bool? {
        let (folder, file) = RemoteName.split(name)
        _ = try await client.perform(
            .store(.append), client.url(folder: folder, file: file), body: .text(TrialFile.text), at: .resume)
        guard memory.offers(.size), let bytes = try? await size(name) else { return true }
        return bytes > TrialFile.bytes
    }

    /// Returns whether the server resumes a file from an offset. Returns `true` without a test if the server
    /// appends. The test overwrites the second half of a file and reads the file back. Some servers ignore
    /// the offset, fill the first half with zeros, or store a different file.
    func resumes(_ name: String) async throws(UploadFailure) -> Bool? {
        if memory.offers(.append) { return true }
        guard memory.offers(.readBack) else { return false }
        let (folder, file) = RemoteName.split(name)
        let half = TrialFile.text.utf8.count / 2
        let rest = String(TrialFile.otherText.dropFirst(half))
        _ = try await client.perform(
            .store(.restart(at: UInt64(half))), client.url(folder: folder, file: file), body: .text(rest),
            at: .resume)
        let whole = String(TrialFile.text.prefix(half)) + rest
        let sum = Hex.text(SHA256.hash(data: Data(whole.utf8)))
        return try await readBack(folder, file)?.sha256 == sum
    }

    /// Renames a file. Throws every refusal, and never returns `false`, because FTP has no reply code for a
    /// name that is in use.
    func rename(_ first: String, to second: String) async throws(UploadFailure) -> Bool {
        let (folder, file) = RemoteName.split(first)
        let target = RemoteName.split(second).file
        let replies = try await sendCommands(folder, ["*RNFR \(file)", "*RNTO \(target)"])
        guard replies.first?.hasPrefix("3") == true else {
            throw client.refusal(replies.first, at: .rename, first)
        }
        guard replies.last?.hasPrefix("2") == true else {
            throw client.refusal(replies.last, at: .rename, second)
        }
        return true
    }

    func remove(_ name: String) async throws(UploadFailure) {
        let (folder, file) = RemoteName.split(name)
        let reply = try await sendCommands(folder, ["*DELE \(file)"], makesFolders: false).last
        guard reply?.hasPrefix("2") == true else { throw client.refusal(reply, at: .remove, name) }
    }
}

extension FTPDestination {
    /// Deletes the part file under each possible name. FTP has no reply code for a missing file. After a
    /// refusal, the function therefore requests the facts of the file. If they show no file, the file counts
    /// as deleted.
    func discardLeftovers(of item: UploadItem) async throws(UploadFailure) {
        // The host is invalid, so no file was ever sent.
        do throws(UploadFailure) { try check() } catch { return }
        await prepare(item)
        let (folder, _) = RemoteName.split(item.remoteName)
        let files = RemoteName.partPaths(item).map { RemoteName.split($0).file }
        let replies: [String]
        do throws(UploadFailure) {
            replies = try await sendCommands(folder, files.map { "*DELE \($0)" }, makesFolders: false)
        } catch {
            guard error.kind == .permanent(.notFound) else { throw error }
            // A missing folder contains no part.
            guard try await folderExists(folder) else { return }
            throw UploadFailure(
                .permanent(.forbidden),
                "\(client.place) does not allow access to the folder \(client.path(folder: folder)) to remove a partial file.",
                nextStep: UploadStep.remove.advice, step: .remove)
        }
        for (file, reply) in zip(files, replies) where !reply.hasPrefix("2") {
            guard try await facts(folder, file, of: item).isTaken else { continue }
            var refusal = client.refusal(reply, at: .remove, file)
            // The server responds, so it is not down. A 450 concerns only this file.
            if refusal.isOutage { refusal.kind = .transient }
            throw refusal
        }
    }

    /// A suffix for a folder's name. No file has the resulting name.
    private static let noSuffix = ".framefast-none"

    /// Returns whether a folder exists. The function also detects a folder that the user may not enter. The
    /// function sends RNFR without RNTO, which renames nothing. The reply is evidence only if the server
    /// refuses RNFR for a missing name.
    private func folderExists(_ folder: String) async throws(UploadFailure) -> Bool {
        let path = client.path(folder: folder)
        guard !path.isEmpty else { return true }
        let response = try await client.perform(
            .enter, "\(client.place)/", after: ["*RNFR \(path)\(Self.noSuffix)", "*RNFR \(path)"], at: .remove
        )
        // Closes the connection. Otherwise, the next transfer could complete the started rename.
        client.closeIdle()
        let replies = response.replies.suffix(2)
        return replies.count == 2 && replies.first?.hasPrefix("3") == false
            && replies.last?.hasPrefix("3") == true
    }
}
