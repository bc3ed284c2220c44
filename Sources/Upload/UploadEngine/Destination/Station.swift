import Foundation
public import FrameFastSystem
import Glibc

/// The identity of this installation. Several installations can send to the same location. Each installation
/// adds its short name to temporary and unique names at that location. The short name is created once and
/// stored in the state directory.
public struct Station: Hashable, Sendable {
    /// The characters of a name. Every server accepts them, and no two of them look alike.
    public static let letters = Array("23456789abcdefghjkmnpqrstvwxyz")
    /// The length of a name. With 1,000 installations, the probability that two of them have the same name is
    /// about one in a million.
    public static let length = 8
    /// The name of the file in the state directory.
    public static let fileName = "station"

    /// The name: eight letters and digits.
    public let name: String

    /// Creates a station from a stored name, or returns `nil` if the name is invalid.
    public init?(_ name: String) {
        guard name.count == Self.length, name.allSatisfy(Self.letters.contains) else { return nil }
        self.name = name
    }

    /// Creates a station with a random name.
    private init(from clock: HostClock) {
        name = String(
            (0..<Self.length).map { _ in
                Self.letters[Int(clock.randomBits() % UInt64(Self.letters.count))]
            })
    }

    /// Returns the station of a state directory. The first call creates the name and syncs it to disk.
    /// Replaces an invalid file. If the name changes, unfinished uploads start again.
    ///
    /// - Parameter clock: The source of randomness.
    public static func installed(
        in stateDirectory: String, clock: HostClock = .system
    ) throws(SystemCallError) -> Station {
        let path = "\(stateDirectory)/\(fileName)"
        if let known = read(path) { return known }
        let new = Station(from: clock)
        try DurableFile.createFolder(stateDirectory)
        if DurableFile.exists(path) { try DurableFile.remove(path) }
        let part = "\(path).\(String(clock.randomBits(), radix: 36)).part"
        try DurableFile.write(Array("\(new.name)\n".utf8), new: part)
        // If another process created the file first, this process uses that name.
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
