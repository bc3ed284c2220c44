import APIClient
import Foundation
import FrameFastAPI

extension DaemonRig {
    /// Releases each held upload by its ID, because photos from before a session are released only by ID.
    ///
    /// - Returns: The number of released uploads.
    @discardableResult
    public func releaseHeld() throws -> Int {
        let held = try client.call(\.uploads.list, .init(limit: UploadsQuery.limitMax, states: [.held])).value
        guard !held.jobs.isEmpty else { return 0 }
        return try client.call(\.uploads.release, .init(ids: held.jobs.map(\.id))).value.changed
    }

    /// Returns a path relative to the capture directory.
    public func relative(_ path: String) -> String {
        path.hasPrefix(captures + "/") ? String(path.dropFirst(captures.count + 1)) : path
    }
}

extension Simulator {
    /// Returns all files on the card in the form of ``truth()``, including photos that a client triggered.
    public func card() throws -> [Shot] {
        try command("truth").split(separator: "\n").filter { $0.hasPrefix("{") }.map {
            try JSONDecoder().decode(Shot.self, from: Data($0.utf8))
        }
    }

    /// Returns the SHA-256 of all files on the card. Unlike ``card()``, this function accepts names with a
    /// lone surrogate, which `JSONDecoder` rejects.
    public func hashes() throws -> Set<String> {
        Set(
            try command("truth").split(separator: "\n").compactMap { line in
                line.range(of: #""sha256":"[0-9a-f]{64}""#, options: .regularExpression).map {
                    String(line[$0].dropFirst(10).dropLast())
                }
            })
    }
}
