import APIClient
import Foundation
import FrameFastAPI

extension DaemonRig {
    /// Releases each held upload by its number: photos from before a session go only so.
    ///
    /// - Returns: how many were released.
    @discardableResult
    public func releaseHeld() throws -> Int {
        let held = try client.call(\.uploads.list, .init(limit: UploadsQuery.limitMax, states: [.held])).value
        guard !held.jobs.isEmpty else { return 0 }
        return try client.call(\.uploads.release, .init(ids: held.jobs.map(\.id))).value.changed
    }

    /// A path as the capture directory sees it.
    public func relative(_ path: String) -> String {
        path.hasPrefix(captures + "/") ? String(path.dropFirst(captures.count + 1)) : path
    }
}

extension Simulator {
    /// Every file on the card, as ``truth()`` has it: also photos that a client triggered.
    public func card() throws -> [Shot] {
        try command("truth").split(separator: "\n").filter { $0.hasPrefix("{") }.map {
            try JSONDecoder().decode(Shot.self, from: Data($0.utf8))
        }
    }

    /// SHA-256 of every file on the card, also where a name is not valid text (a lone surrogate, which JSON can't hold).
    public func hashes() throws -> Set<String> {
        Set(
            try command("truth").split(separator: "\n").compactMap { line in
                line.range(of: #""sha256":"[0-9a-f]{64}""#, options: .regularExpression).map {
                    String(line[$0].dropFirst(10).dropLast())
                }
            })
    }
}
