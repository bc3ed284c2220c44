public import Foundation

/// The checkout that the tests belong to.
public enum Repository {
    /// The folder with `Package.swift`.
    public static let root: URL = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
            precondition(folder.path != "/", "no Package.swift above \(#filePath)")
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// A file or folder of the checkout.
    ///
    /// - Parameter path: below the root, for example `docs/hooks.md`.
    public static func file(_ path: String) -> URL { root.appending(path: path) }

    /// Whether tests write what they would compare: `FRAMEFAST_WRITE_DOCS=1`.
    public static let writesDocuments = ProcessInfo.processInfo.environment["FRAMEFAST_WRITE_DOCS"] == "1"
}
