import Crypto
import Foundation
import FrameFastModel
import TestRig

@testable import UploadEngine

/// Files to upload, with names that people and cameras typically use.
struct SamplePhotos {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "ffphotos-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    static let oddNames = [
        "IMG_0001.JPG", "two words.jpg", "Müller & Söhne.jpg", "写真 📷.jpg", "#1.jpg", "a+b.jpg", "100%.jpg",
        "%41.jpg", ".hidden.jpg", "..two dots.jpg", "-dash.jpg", "it's.jpg", "q\"uote.jpg", "semi;colon.jpg",
        "$(id).jpg", "back\\slash.jpg", "star*?.jpg", "[x].jpg", "tilde~.jpg", "~home.jpg", "a=b&c.jpg",
        "comma,.jpg",
        "e\u{301}.jpg", "trailing .jpg", "day 1/höhe #2/a.jpg",
    ]

    /// Creates one file with unique bytes.
    func item(
        _ remoteName: String, bytes: Int, job: Int64, seed: UInt8 = 0,
        saveResumePoint: @escaping @Sendable (String?) async -> Void = { _ in }
    ) throws -> UploadItem {
        let data = RandomBytes.data(bytes, seed: UInt64(job) << 8 | UInt64(seed))
        let file = folder.appending(path: "\(job)-\(seed).bin")
        try data.write(to: file)
        var item = UploadItem(
            jobID: JobID(rawValue: job), localPath: file.path, bytes: UInt64(bytes), sha256: Self.sum(data),
            station: "k7f2q9wd", remoteName: remoteName, facts: [.camera: "Canon EOS R5", .kind: "jpeg"],
            saveResumePoint: saveResumePoint)
        item.isNameChosen = true
        return item
    }

    static func sum(_ data: Data) -> String {
        SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
    }

    static func sum(of file: URL) throws -> String { sum(try Data(contentsOf: file)) }

    /// Returns the relative paths of all files below a folder.
    static func names(in folder: URL) throws -> Set<String> {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return Set(
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(
                    atPath: folder.path + "/" + $0, isDirectory: &isFolder) && !isFolder.boolValue
            })
    }
}
