import Foundation
public import FrameFastSystem
import Glibc

/// This installation, among those that send to the same places: a short name in what it writes there. Made once and
/// kept in the state directory.
public struct Station: Hashable, Sendable {
    /// Letters and digits that stand for it; every server takes them, and none looks like another.
    public static let letters = Array("23456789abcdefghjkmnpqrstvwxyz")
    /// Their number: of a thousand stations two have the same name once in a million times.
    public static let length = 8
    /// Name of the file in the state directory.
    public static let fileName = "station"

    /// Eight letters and digits.
    public let name: String

    /// A name that was kept; `nil` when it is none.
    public init?(_ name: String) {
        guard name.count == Self.length, name.allSatisfy(Self.letters.contains) else { return nil }
        self.name = name
    }

    private init() {
        name = String((0..<Self.length).map { _ in Self.letters.randomElement() ?? "2" })
    }

    /// The installation's name from its state directory; made and written through at the first time. A file that holds
    /// something else is replaced: what the old name marked is only sent again.
    public static func installed(in stateDirectory: String) throws(SystemCallError) -> Station {
        let path = "\(stateDirectory)/\(fileName)"
        if let known = read(path) { return known }
        let new = Station()
        try DurableFile.createFolder(stateDirectory)
        if DurableFile.exists(path) { try DurableFile.remove(path) }
        let part = "\(path).\(UUID().uuidString.prefix(8)).part"
        try DurableFile.write(Array("\(new.name)\n".utf8), new: part)
        // Whoever was first has made it.
        if try !DurableFile.publish(part, as: path) { try DurableFile.remove(part) }
        try DurableFile.syncFolder(stateDirectory)
        return read(path) ?? new
    }

    private static func read(_ path: String) -> Station? {
        guard let file = try? FileReader(path), let bytes = try? file.read(at: 0, count: 64) else {
            return nil
        }
        return Station(String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
