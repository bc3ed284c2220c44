import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import UploadEngine

/// The upload of one photo to a remote. rclone replaces existing files, so each photo gets an unused name.
///
/// If the remote can rename, the photo is first stored under a temporary name. With many backends, rclone
/// 1.60 would otherwise write directly to the final file. Remotes without a rename (S3 and other buckets)
/// show only complete objects.
struct RcloneUpload {
    let daemon: RcloneDaemon
    let item: UploadItem
    let photo: PhotoFile
    let plan: TransferPlan
    let memory: DestinationMemory
    let progress: @Sendable (UInt64) -> Void

    private var place: String { daemon.settings.place }
    private static let suffixesMax = 1_000

    func run() async throws -> UploadReceipt {
        let remote = try await daemon.call("operations/fsinfo", ["fs": place], as: Remote.self)
        let hash = ["sha256", "md5", "sha1"].first { remote.Hashes?.contains($0) ?? false }
        let localHash = try await localSum(hash)
        let wanted = RemoteName.wanted(item, refusesTaken: false)
        for suffix in 1...Self.suffixesMax {
            let target = suffix == 1 ? wanted : NamingTemplate.path(wanted, suffix: suffix)
            guard let existing = try await facts(target, hash: hash) else {
                return try await store(
                    to: target,
                    byMove: (remote.Features["Move"] ?? false) && plan.temporaryName != .final, hash: hash,
                    localHash: localHash)
            }
            guard !existing.IsDir, existing.mayHave(bytes: item.bytes) else { continue }
            if let hash, let remoteHash = existing.Hashes?[hash], !remoteHash.isEmpty {
                guard remoteHash == localHash else { continue }
                return receipt(target, existing, hash: hash, alreadyExisted: true)
            }
            // Without a checksum, only the record of the earlier attempt proves that the file is this photo.
            if try await isOurs(target) { return receipt(target, existing, hash: nil, alreadyExisted: true) }
        }
        throw RemoteName.allTaken(item.remoteName, place)
    }

    private func store(to target: String, byMove: Bool, hash: String?, localHash: String) async throws
        -> UploadReceipt
    {
        let part = RemoteName.partPath(item, plan.temporaryName)
        let first = byMove ? part : target
        if !byMove { await item.saveResumePoint(target) }
        let isSent = byMove && item.resumePoint?.hasPrefix(Self.sentMark) == true
        if isSent, let storedPart = try await facts(first, hash: hash),
            difference(storedPart, hash: hash, localHash: localHash) == nil
        {
            // An earlier attempt stored the part but could not check or rename it.
            progress(item.bytes)
            return try await move(first, to: target, hash: hash, localHash: localHash)
        }
        do { try await copy(to: first) } catch let failure as UploadFailure where failure.kind == .transient {
            throw await hasFreeSpace()
                ? failure
                : UploadFailure(
                    .permanent(.full), "the remote is full: \(failure.sentence)",
                    nextStep: UploadFailure.stepWhenFull, step: .send)
        }
        let found: RcloneFile?
        do throws(UploadFailure) { found = try await facts(first, hash: hash) } catch {
            if byMove { await item.saveResumePoint(Self.sentMark) }
            throw error
        }
        guard let copied = found else { throw UploadFailure(.transient, "the copy is missing") }
        if let fault = difference(copied, hash: hash, localHash: localHash) {
            if RemoteName.isOnlyOurs(first, of: item) {
                _ = try? await daemon.call(
                    "operations/deletefile", ["fs": place, "remote": first], as: RcloneEmpty.self,
                    at: .remove, name: first)
            }
            try await photo.checkUnchanged(item)
            throw UploadFailure(.transient, "the copy \(fault)")
        }
        guard byMove else {
            if plan.isUnproven {
                await memory.learn(
                    .rename, isOffered: false, reason: "The remote does not allow temporary names.")
            }
            return receipt(target, copied, hash: hash)
        }
        return try await move(first, to: target, hash: hash, localHash: localHash)
    }

    /// The start of the resume point after the part was stored. If a rename was requested, the target's name
    /// follows this text.
    private static let sentMark = "sent "

    /// Returns whether the resume point proves that a file is this photo. If the result of a rename is
    /// unknown, a missing part proves that the rename succeeded.
    private func isOurs(_ target: String) async throws -> Bool {
        if item.resumePoint == target { return true }
        guard item.resumePoint == Self.sentMark + target else { return false }
        return try await facts(RemoteName.partPath(item, plan.temporaryName), hash: nil) == nil
    }

    private func move(
        _ part: String, to target: String, hash: String?, localHash: String
    ) async throws -> UploadReceipt {
        var wasAsked = false
        do throws(UploadFailure) {
            // rclone replaces an existing file in a move, so the name is checked again directly before the
            // move.
            guard try await facts(target, hash: nil) == nil else {
                throw UploadFailure(.transient, "Another client used the name \(target) first")
            }
            wasAsked = true
            await item.saveResumePoint(target)
            _ = try await daemon.call(
                "operations/movefile",
                ["srcFs": place, "srcRemote": part, "dstFs": place, "dstRemote": target],
                as: RcloneEmpty.self, at: .rename, name: part, names: [target])
        } catch {
            // The resume point contains the target only if a rename was requested. Without a request, a file
            // with this name is not this photo.
            await item.saveResumePoint(wasAsked ? Self.sentMark + target : Self.sentMark)
            throw error
        }
        guard let moved = try await facts(target, hash: hash) else {
            throw UploadFailure(.transient, "The copy is missing after it was renamed")
        }
        if let fault = difference(moved, hash: hash, localHash: localHash) {
            throw UploadFailure(.transient, "The copy \(fault) after it was renamed")
        }
        return receipt(target, moved, hash: hash)
    }

    // MARK: Copying

    private func copy(to target: String) async throws {
        let file = URL(filePath: item.localPath)
        let group = "framefast-\(item.jobID)"
        let parameters = [
            "srcFs": file.deletingLastPathComponent().path, "srcRemote": file.lastPathComponent,
            "dstFs": place,
            "dstRemote": target, "_group": group,
        ]
        // Resets the statistics, because they include the bytes of failed attempts.
        _ = try? await daemon.call("core/stats-delete", ["group": group], as: RcloneEmpty.self)
        let (daemon, progress, bytes, path) = (daemon, progress, item.bytes, item.localPath)
        try await withThrowingTaskGroup(of: Bool.self) { tasks in
            tasks.addTask {
                _ = try await daemon.call(
                    "operations/copyfile", parameters, as: RcloneEmpty.self, at: .send, name: target,
                    names: [path])
                return true
            }
            tasks.addTask {
                let clock = HostClock.system
                var (last, since) = (Int64(-1), clock.uptime())
                while true {
                    try await clock.sleep(1)
                    let stats = try await daemon.call("core/stats", ["group": group], as: Stats.self)
                    progress(min(UInt64(max(stats.bytes, 0)), bytes))
                    if stats.bytes != last { (last, since) = (stats.bytes, clock.uptime()) }
                    // Reports activity, because rclone sends no bytes while it compares checksums. The copy's
                    // own stall limit ends a hanging comparison.
                    if stats.bytes >= Int64(clamping: bytes) { UploadActivity.current.report() }
                    let limit = Self.silenceMax(
                        sent: stats.bytes, of: bytes, stallSeconds: daemon.settings.stallSeconds)
                    guard clock.duration(since: since) > limit else { continue }
                    throw UploadFailure(
                        .outage(retryAfterSeconds: nil),
                        "no data was transferred for \(limit.wholeSeconds) s",
                        nextStep: "Check the remote and the network connection.")
                }
            }
            _ = try await tasks.next()
            tasks.cancelAll()
        }
        _ = try? await daemon.call("core/stats-delete", ["group": group], as: RcloneEmpty.self)
        progress(item.bytes)
    }

    /// Returns the longest time that a copy may make no progress. After the last byte, rclone compares
    /// checksums, and the remote may read the complete file.
    ///
    /// - Parameters:
    ///   - sent: The number of bytes sent.
    ///   - bytes: The size of the photo, in bytes.
    static func silenceMax(sent: Int64, of bytes: UInt64, stallSeconds: Int) -> Duration {
        let usual = Duration.seconds(stallSeconds)
        return sent >= Int64(clamping: bytes) ? max(usual, ChecksumTime.limit(bytes: bytes)) : usual
    }

    /// Returns whether the photo fits on the remote. Returns `true` if the remote does not report its free
    /// space. The check is necessary because a full SFTP server reports only "failure".
    private func hasFreeSpace() async -> Bool {
        let usage = try? await daemon.call("operations/about", ["fs": place], as: Usage.self)
        return usage?.free.map { $0 >= Int64(item.bytes) } ?? true
    }

    // MARK: Facts of remote files

    private func facts(_ remote: String, hash: String?) async throws(UploadFailure) -> RcloneFile? {
        // Reports activity during the call. For some remotes, rclone reads the complete file to compute the
        // hash.
        let reports = hash.map { _ in
            UploadActivity.current.keepReporting(for: ChecksumTime.limit(bytes: item.bytes))
        }
        defer { reports?.cancel() }
        let request = Request(
            fs: place, remote: remote,
            opt: .init(
                showHash: hash != nil, hashTypes: hash.map { [$0] } ?? [], noModTime: true, noMimeType: true))
        return try await daemon.call(
            "operations/stat", request, as: Response.self, at: .look, name: remote
        ).item
    }

    private func difference(_ existing: RcloneFile, hash: String?, localHash: String) -> String? {
        existing.difference(bytes: item.bytes, hash: hash, localHash: localHash)
    }

    private func receipt(
        _ target: String, _ existing: RcloneFile, hash: String?, alreadyExisted: Bool = false
    ) -> UploadReceipt {
        let (proof, evidence) = existing.proof(hash: hash)
        return UploadReceipt(
            remoteName: target, proof: proof, evidence: evidence, alreadyExisted: alreadyExisted)
    }

    private func localSum(_ hash: String?) async throws(UploadFailure) -> String {
        switch hash {
        case "md5": try await sum(Insecure.MD5())
        case "sha1": try await sum(Insecure.SHA1())
        default: item.sha256
        }
    }

    private func sum(_ hash: some HashFunction) async throws(UploadFailure) -> String {
        var hash = hash
        var offset: UInt64 = 0
        while offset < photo.bytes {
            let block = try await photo.read(at: offset, count: Int(min(1_048_576, photo.bytes - offset)))
            hash.update(data: block)
            offset += UInt64(block.count)
            UploadActivity.current.report()
        }
        return Hex.text(hash.finalize())
    }

    // MARK: Requests and responses

    private struct Remote: Decodable {
        var Features: [String: Bool]
        var Hashes: [String]?
    }

    private struct Usage: Decodable { var free: Int64? }

    private struct Stats: Decodable { var bytes: Int64 }

    private struct Request: Encodable {
        struct Options: Encodable {
            var showHash: Bool
            var hashTypes: [String]
            var noModTime: Bool
            var noMimeType: Bool
        }
        var fs: String
        var remote: String
        var opt: Options
    }

    private struct Response: Decodable { var item: RcloneFile? }
}
