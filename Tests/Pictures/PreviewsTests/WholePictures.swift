import PictureProtocol

@testable import Previews

extension PictureContent {
    /// Reads the whole content.
    func readAll() throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): return bytes
        case .file(let file): return try file.read(at: 0, countMax: Int(file.size))
        }
    }
}

extension PictureCache {
    /// Returns the bytes of a picture, or `nil` if the cache does not have the picture.
    func read(_ task: PictureTask, of sha256: String) -> [UInt8]? {
        find(task, of: sha256).flatMap { try? $0.readAll() }
    }
}

extension PreviewService {
    /// Returns the bytes of a picture.
    func picture(_ task: PictureTask, of photo: PreviewPhoto) async throws -> [UInt8] {
        try await content(task, of: photo).readAll()
    }
}
