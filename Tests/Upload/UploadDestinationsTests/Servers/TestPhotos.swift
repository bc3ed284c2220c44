import Crypto
import Foundation
import FrameFastModel
import Glibc
import Synchronization
import TestRig
import Testing

@testable import UploadDestinations
@testable import UploadEngine

/// Photos with unusual names and random bytes.
struct TestPhotos {
    static let oddNames = [
        "IMG 0001 #N.JPG", "a+b N.JPG", "100% N.JPG", "half%2Fencoded N.JPG", ".hidden N.JPG", "写真 é N.JPG",
        "semi;colon&amp=N.JPG", "(N)'!~@$,.JPG", "[N]{x}^`|.NEF", "two  spaces N.JPG", "📷 N.CR3",
        "q?uestion*N.JPG",
    ]

    let items: [UploadItem]

    /// - Parameters:
    ///   - names: The names, used in turn. `N` is replaced by the photo's number.
    ///   - sizes: The sizes in bytes, used in turn. With an empty array, each photo has about `bytes` bytes.
    ///   - areEqualInSize: Whether all photos have the same size, like uncompressed RAW files.
    init(
        _ count: Int, bytes: Int = 24_000, sizes: [Int] = [], names: [String] = oddNames,
        folders: [String] = ["", "Tag 1/é #1"], areEqualInSize: Bool = false,
        in scratch: ScratchFolder
    ) throws {
        let folder = scratch.url.appending(path: "photos-\(UUID().uuidString.prefix(6))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        items = try (0..<count).map { index in
            let usual = areEqualInSize ? bytes : bytes + (index * 97) % 4096
            let size = sizes.isEmpty ? usual : sizes[index % sizes.count]
            let data = Data(
                [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
                    // No seed is needed, because the tests only require that photos differ.
                    if let start = buffer.baseAddress { arc4random_buf(start, size) }
                    filled = size
                })
            let file = folder.appending(path: "\(index)")
            try data.write(to: file)
            let name = names[index % names.count].replacing("N", with: "\(index)", maxReplacements: 1)
            let place = folders[index / names.count % folders.count]
            var item = UploadItem(
                jobID: JobID(rawValue: Int64(index + 1)), localPath: file.path, bytes: UInt64(size),
                sha256: Hex.text(SHA256.hash(data: data)), station: "k7f2q9wd",
                remoteName: place.isEmpty ? name : "\(place)/\(name)",
                facts: [.camera: "Körper 1"])
            item.isNameChosen = true
            return item
        }
    }

    /// Returns one photo.
    static func one(bytes: Int, name: String = "photo #1.JPG", in scratch: ScratchFolder) throws -> UploadItem
    {
        var item = try #require(
            try TestPhotos(1, bytes: bytes, names: ["N"], folders: [""], in: scratch).items.first)
        item.remoteName = name
        return item
    }
}

extension UploadItem {
    /// Returns the same photo as an item of another installation. No user-defined template creates its name.
    func of(station: String) -> UploadItem {
        var item = self
        item.station = station
        item.isNameChosen = false
        return item
    }
}

/// A store for an item's resume point between attempts.
final class Memory: Sendable {
    private let point = Mutex<String?>(nil)
    var value: String? { point.withLock { $0 } }

    func attempt(_ item: UploadItem) -> UploadItem {
        var item = item
        item.resumePoint = value
        item.saveResumePoint = { [self] text in point.withLock { $0 = text } }
        return item
    }
}

extension UploadDestination {
    func upload(_ item: UploadItem) async throws(UploadFailure) -> UploadReceipt {
        try await upload(item) { _ in }
    }

    /// Uploads all photos, several at a time. Retries each upload like ``uploadUntilDone(_:_:attempts:_:)``.
    ///
    /// - Parameter failed: Called with each failure.
    func uploadAll(
        _ items: [UploadItem], atOnce: Int = 4, attempts: Int = 6,
        failed: @escaping @Sendable (UploadFailure) -> Void = { _ in }
    ) async throws -> [UploadReceipt] {
        try await withThrowingTaskGroup(of: (Int, UploadReceipt).self) { group in
            var receipts = [UploadReceipt?](repeating: nil, count: items.count)
            for (index, item) in items.enumerated() {
                if index >= atOnce, let (done, receipt) = try await group.next() { receipts[done] = receipt }
                group.addTask {
                    let memory = Memory()
                    return (index, try await self.uploadUntilDone(item, memory, attempts: attempts, failed))
                }
            }
            for try await (done, receipt) in group { receipts[done] = receipt }
            return receipts.compactMap { $0 }
        }
    }

    /// Uploads a photo and returns the failure, or `nil` after a success.
    func failure(_ item: UploadItem) async -> UploadFailure? {
        do throws(UploadFailure) {
            _ = try await upload(item)
            return nil
        } catch {
            return error
        }
    }

    /// Uploads a photo. Like the queue, retries after a transient failure or an outage, up to `attempts`
    /// attempts in total. The wait after an outage doubles with each attempt.
    func uploadUntilDone(
        _ item: UploadItem, _ memory: Memory, attempts: Int = 6,
        _ failed: @Sendable (UploadFailure) -> Void = { _ in }
    ) async throws -> UploadReceipt {
        for attempt in 1..<attempts {
            do throws(UploadFailure) {
                return try await upload(memory.attempt(item))
            } catch {
                failed(error)
                switch error.kind {
                case .transient: continue
                case .outage: try await Task.sleep(for: .milliseconds(50 << attempt))
                case .permanent, .cancelled, .refused, .sourceAway: throw error
                }
            }
        }
        return try await upload(memory.attempt(item))
    }
}

extension UploadFailure? {
    /// Whether the queue would retry the upload. Also `true` for `nil` (success), because libcurl may itself
    /// have sent the photo again over a new connection.
    var isTriedAgain: Bool {
        switch self?.kind {
        case nil, .transient, .outage: true
        case .permanent, .cancelled, .refused, .sourceAway: false
        }
    }
}

extension URL {
    /// The SHA-256 of the file, or `nil` if it cannot be read.
    var sha256: String? { (try? Data(contentsOf: self)).map { Hex.text(SHA256.hash(data: $0)) } }

    /// The relative paths of the files below a folder.
    var filesBelow: Set<String> {
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        return Set(
            all.filter {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: path + "/" + $0, isDirectory: &isFolder)
                    && !isFolder.boolValue
            })
    }
}

/// Expects that a folder contains exactly these photos.
func expectExactly(_ items: [UploadItem], in folder: URL, sourceLocation: SourceLocation = #_sourceLocation) {
    let wrong = items.filter { URL(filePath: folder.path + "/" + $0.remoteName).sha256 != $0.sha256 }
    #expect(wrong.map(\.remoteName) == [], "[loss] cut, changed or missing", sourceLocation: sourceLocation)
    #expect(
        folder.filesBelow.subtracting(items.map(\.remoteName)) == [], "[loss] something else is there",
        sourceLocation: sourceLocation)
}
