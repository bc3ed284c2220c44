public import Foundation

/// The checkout that contains the tests.
public enum Repository {
    /// The folder that contains `Package.swift`.
    public static let root: URL = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
            precondition(folder.path != "/", "no Package.swift above \(#filePath)")
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// Returns the URL of a file or folder in the checkout.
    ///
    /// - Parameter path: A path relative to the root, for example `docs/hooks.md`.
    public static func file(_ path: String) -> URL { root.appending(path: path) }
}
