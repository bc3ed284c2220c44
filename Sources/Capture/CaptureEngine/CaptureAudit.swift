import Foundation
import FrameFastModel
public import FrameFastSystem
import Glibc
public import Store
import SystemPackage

/// A read-only comparison of the ledger with the files on disk and the receipts of uploads.
///
/// The audit can run while the service saves photos. It therefore compares each suspicious photo at least
/// twice, and ignores recent part files. It also ignores all files that the service did not write.
public struct CaptureAudit {
    /// The progress of an audit.
    public struct Progress: Hashable, Sendable {
        /// The number of compared photos.
        public var photos = 0
        /// The size of the compared photos, in bytes.
        public var bytes: UInt64 = 0
        /// The number of photos to compare.
        public var photosTotal: Int
        /// The size of the photos to compare, in bytes.
        public var bytesTotal: UInt64
    }

    /// The result of an audit.
    public struct Report: Hashable, Sendable {
        /// The photos that the audit compared.
        public var progress: Progress
        /// The findings, at most ``CaptureAudit/findingsMax``.
        public var findings: [AuditFinding] = []
        /// The number of all findings.
        public var findingsTotal = 0

        mutating func add(_ finding: AuditFinding) {
            findingsTotal += 1
            if findings.count < CaptureAudit.findingsMax { findings.append(finding) }
        }
    }

    /// The maximum number of findings in a report. This maximum limits memory if a whole disk is missing.
    public static let findingsMax = 1_000
    /// The number of records that the audit reads at a time.
    private static let pageLength = 500
    /// The minimum age, in seconds, of an unused part file that the audit reports.
    private static let partAgeMin = 3_600
    /// The number of comparisons after which a photo in state `publishing` is reported. Comparisons during a
    /// copy to another file system do not count, because the copy of a movie can take minutes.
    static let publishingChecks = 6
    /// The number of comparisons during copies, about an hour, after which such comparisons count, too. A
    /// copy to a disk that no longer responds does not end.
    static let copyingChecks = 360

    private let ledger: LedgerReader
    private let incomingFolder: String
    private let clock: HostClock
    private let settle: Duration
    private let isServiceRunning: @Sendable () -> Bool

    /// Creates an audit.
    ///
    /// - Parameters:
    ///   - incomingFolder: The folder of part files.
    ///   - clock: The clock for the age of part files and for the pauses between comparisons.
    ///   - settle: The pause before each repeated comparison. During the pause, a running service can finish
    ///     a photo.
    ///   - isServiceRunning: Returns whether a service uses the ledger. Without a service, the audit does not
    ///     pause.
    public init(
        ledger: LedgerReader, incomingFolder: String, clock: HostClock, settle: Duration = .seconds(10),
        isServiceRunning: @escaping @Sendable () -> Bool
    ) {
        self.isServiceRunning = isServiceRunning
        self.ledger = ledger
        self.incomingFolder = incomingFolder
        self.clock = clock
        self.settle = settle
    }

    /// Compares all photos, part files and receipts.
    ///
    /// - Parameter onProgress: Called after each photo, and repeatedly while a file is read.
    /// - Throws: An error of the ledger.
    public func run(onProgress: (Progress) -> Void = { _ in }) async throws -> Report {
        let total = try ledger.savedPhotos()
        var progress = Progress(photosTotal: total.photos, bytesTotal: total.bytes)
        let suspects = try comparePhotos(&progress, onProgress)
        var report = Report(progress: progress)
        for finding in try await compareAgain(suspects, { onProgress(progress) }) { report.add(finding) }
        try ledger.forEachSharedPath { path, first, last in
            report.add(
                AuditFinding(
                    .pathShared, "The records \(first) and \(last) have the same path.", capture: last,
                    path: path))
        }
        let parts = PartFiles(folder: incomingFolder, clock: clock).filesOfOtherRuns { error in
            report.add(
                AuditFinding(
                    .fileUnreadable, "The folder with part files cannot be listed: \(error).",
                    path: error.subject,
                    nextStep:
                        "Run the audit as root. If it still cannot list the folder, check the disk."))
        }.parts
        for part in parts {
            guard try isLeftOver(part) else { continue }
            report.add(
                AuditFinding(.partLeftOver, "The part file is old, and no photo needs it.", path: part.path))
        }
        try ledger.forEachUploadFault { report.add(Self.finding($0)) }
        return report
    }

    /// Compares all photos with their files. Returns the photos that differ.
    private func comparePhotos(
        _ progress: inout Progress, _ onProgress: (Progress) -> Void
    ) throws -> [CaptureID] {
        var suspects: [CaptureID] = []
        var last = CaptureID(rawValue: 0)
        while true {
            let page = try ledger.photosWithFile(after: last, limit: Self.pageLength)
            guard let end = page.last else { return suspects }
            for record in page {
                let before = progress
                let finding = compare(record) { bytes in
                    progress.bytes += UInt64(bytes)
                    onProgress(progress)
                }
                if finding != nil { suspects.append(record.id) }
                progress = before
                if record.state == .saved {
                    progress.photos += 1
                    progress.bytes += record.bytes ?? 0
                }
                onProgress(progress)
            }
            last = end.id
        }
    }

    /// Compares suspicious photos again. A running service may have published, replaced or cleared a photo
    /// during its comparison. The audit therefore pauses before each comparison, and compares a photo in
    /// state `publishing` several times after the last copy.
    private func compareAgain(
        _ suspects: [CaptureID], _ onProgress: () -> Void
    ) async throws -> [AuditFinding] {
        var findings: [AuditFinding] = []
        var pending = suspects
        var (checks, copying) = (0, 0)
        while !pending.isEmpty {
            let isRunning = isServiceRunning()
            if isRunning { try await clock.sleep(for: settle) }
            if copying < Self.copyingChecks, isCopying(pending) {
                (checks, copying) = (0, copying + 1)
            } else {
                checks += 1
            }
            var publishing: [CaptureID] = []
            for id in pending {
                onProgress()
                guard let record = try ledger.photoWithFile(id),
                    let finding = compare(record, onPiece: { _ in onProgress() })
                else { continue }
                if isRunning, finding.kind == .leftPublishing, checks < Self.publishingChecks {
                    publishing.append(id)
                } else {
                    findings.append(finding)
                }
            }
            pending = publishing
        }
        return findings
    }

    /// Returns whether the service is copying the file of one of these photos to another file system. The
    /// other photos of the same round wait for the copy.
    private func isCopying(_ ids: [CaptureID]) -> Bool {
        PartFiles(folder: incomingFolder, clock: clock).filesOfOtherRuns().parts.contains {
            ids.contains($0.id) && DurableFile.isCopying($0.path)
        }
    }

    /// Compares a photo with its file. Returns `nil` if they agree.
    private func compare(_ record: CaptureRecord, onPiece: (Int) -> Void) -> AuditFinding? {
        func finding(
            _ kind: AuditFindingKind, _ sentence: String, nextStep: String? = nil
        ) -> AuditFinding {
            AuditFinding(kind, sentence, capture: record.id, path: record.path, nextStep: nextStep)
        }
        guard record.state == .saved else {
            return finding(.leftPublishing, "The service did not finish saving the photo.")
        }
        guard let path = record.path else { return finding(.fileMissing, "The record has no path.") }
        do throws(SystemCallError) {
            let file = try FileReader(path)
            if let bytes = record.bytes, file.size != bytes {
                return finding(
                    .sizeDiffers, "The file has \(file.size) bytes, but the ledger records \(bytes).")
            }
            guard let sha256 = record.sha256, try PhotoHash.sha256(of: file, onPiece: onPiece) != sha256
            else {
                return nil
            }
            let nextStep =
                record.verified == .awaitingReread
                ? "Connect the camera. FrameFast reads the photo again." : nil
            return finding(
                .bytesDiffer, "The file has other bytes than the ledger records.", nextStep: nextStep)
        } catch {
            if error.isPathMissing { return finding(.fileMissing, "The file is missing.") }
            if Self.notRegular.contains(error.errno) {
                return finding(
                    .fileUnreadable, "The path is not a regular file.",
                    nextStep: "Move the photo back to this path.")
            }
            return finding(.fileUnreadable, "The file cannot be compared: \(error).")
        }
    }

    /// The errors of opening a symbolic link, a folder, a pipe, a device or a socket.
    private static let notRegular: [Errno] = [
        .tooManySymbolicLinkLevels, .isDirectory, .invalidArgument, .noSuchAddressOrDevice,
    ]

    /// Returns whether a part file is old and no step of its photo is left: fetching, publishing or
    /// rereading.
    private func isLeftOver(_ part: PartFiles.Part) throws -> Bool {
        var information = stat()
        guard lstat(part.path, &information) == 0,
            clock.unixSeconds - information.st_ctim.tv_sec > Self.partAgeMin
        else { return false }
        guard let record = try ledger.capture(part.id) else { return true }
        switch record.state {
        case .seen, .publishing, .setAside: return false
        case .saved: return record.verified != .awaitingReread
        case .skipped, .duplicate: return true
        }
    }

    static func finding(_ fault: LedgerReader.UploadFault) -> AuditFinding {
        let name = "Upload \(fault.job) to \(fault.destination)"
        if fault.hasPhoto {
            return AuditFinding(
                .receiptMissing, "\(name) is delivered, but its receipt is incomplete.",
                capture: fault.capture, job: fault.job)
        }
        return AuditFinding(
            fault.isDelivered ? .receiptWithoutPhoto : .jobWithoutPhoto,
            "\(name) is for photo \(fault.capture), which has no record.", capture: fault.capture,
            job: fault.job)
    }
}
