import Foundation
public import FrameFastSystem
import Glibc

/// The identity of this installation among those that send to the same places. It is a short name in the
/// files that the installation writes there. It is created once and stored in the state directory.
public struct Station: Hashable, Sendable {
    /// The characters of a name. Every server accepts them, and no two look alike.
    public static let letters = Array("23456789abcdefghjkmnpqrstvwxyz")
    /// The length of a name. Among a thousand stations, the chance of two equal names is one in a million.
    public static let length = 8
    /// The name of the file in the state directory.
    public static let fileName = "station"

    /// The name: eight letters and digits.
    public let name: String

    /// Creates a station from a stored name, or returns `nil` if the name is not valid.
    public init?(_ name: String) {
        guard name.count == Self.length, name.allSatisfy(Self.letters.contains) else { return nil }
        self.name = name
    }

    private init() {
        name = String((0..<Self.length).map { _ in Self.letters.randomElement() ?? "2" })
    }

    /// Returns the station of a state directory. The first call creates it and syncs it to disk. A file with
    /// other content is replaced; files that were marked with the old name are sent again.
    public static func installed(in stateDirectory: String) throws(SystemCallError) -> Station {
        let path = "\(stateDirectory)/\(fileName)"
        if let known = read(path) { return known }
        let new = Station()
        try DurableFile.createFolder(stateDirectory)
        if DurableFile.exists(path) { try DurableFile.remove(path) }
        let part = "\(path).\(UUID().uuidString.prefix(8)).part"
        try DurableFile.write(Array("\(new.name)\n".utf8), new: part)
        // Another process may have created the file first. Its name is used.
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
