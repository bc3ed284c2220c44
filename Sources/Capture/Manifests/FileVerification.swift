import Foundation
import FrameFastSystem
import PlainThreads
import Synchronization
import SystemPackage

/// Reads all files again that a history records, on a thread of its own that everything else goes before.
final class FileVerification: Sendable {
    /// What a file is now.
    enum Outcome: Hashable, Sendable {
        case verified(xxh128: String)
        /// With its hash now; `nil` when it cannot be read.
        case changed(xxh128: String?)
        case missing
    }

    /// How far it is.
    struct Progress: Sendable {
        var filesDone = 0
        var bytesRead: UInt64 = 0
        var isCancelled = false
    }

    private let state = Mutex(Progress())

    var progress: Progress { state.withLock { $0 } }

    /// Ends the reading after the piece that is being read.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Reads the files.
    ///
    /// - Returns: for each what it is; `nil` when it was cancelled.
    func run(_ files: [Manifest.Record], below root: String) async throws -> [Outcome]? {
        try await withCheckedThrowingContinuation { continuation in
            do throws(PlainThread.StartError) {
                try PlainThread.start("verify", yields: true) {
                    continuation.resume(returning: self.read(files, below: root))
                }
            } catch { continuation.resume(throwing: error) }
        }
    }

    private func read(_ files: [Manifest.Record], below root: String) -> [Outcome]? {
        var outcomes: [Outcome] = []
        for file in files {
            guard let outcome = outcome(root + "/" + file.path, file) else { return nil }
            outcomes.append(outcome)
            state.withLock { $0.filesDone += 1 }
        }
        return progress.isCancelled ? nil : outcomes
    }

    private func outcome(_ path: String, _ file: Manifest.Record) -> Outcome? {
        do throws(SystemCallError) {
            // What another tool recorded is checked as it recorded it, and XXH128 goes into our generation.
            let other = file.xxh128 == nil ? file.other.map { GrowingHash($0.kind) } : nil
            let hash = try SealedFile.hash(path, other: other) { count in
                state.withLock {
                    $0.bytesRead += UInt64(count)
                    return !$0.isCancelled
                }
            }
            guard let hash else { return nil }
            let isSame = other.map { $0.text() == file.other?.text } ?? (hash.xxh128 == file.xxh128)
            return isSame ? .verified(xxh128: hash.xxh128) : .changed(xxh128: hash.xxh128)
        } catch { return error.isPathMissing ? .missing : .changed(xxh128: nil) }
    }
}

/// The first hash of each file that generations record, in the order in which the files came.
struct OriginalHashes {
    private var places: [FilePath: Int] = [:]
    private(set) var records: [Manifest.Record] = []
    /// Files without a hash that can be checked here.
    private var unknown: Set<FilePath> = []

    /// How many files have none that can be checked.
    var unknownCount: Int { unknown.count { places[$0] == nil } }

    /// Takes the records of the next generation. Paths and no texts: Swift takes two names for one that differ in their Unicode
    /// form only.
    mutating func add(_ generation: [Manifest.Record]) {
        for record in generation where record.action != .failed {
            let path = FilePath(record.path)
            guard places[path] == nil else { continue }
            guard record.hash != nil else {
                unknown.insert(path)
                continue
            }
            places[path] = records.count
            records.append(record)
        }
    }
}
