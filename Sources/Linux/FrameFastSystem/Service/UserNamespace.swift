public import Glibc

/// The users and groups that this process can distinguish. A user namespace maps some ids, and shows every
/// other id as the overflow id (user_namespaces(7)). systemd's `PrivateUsers=yes` maps root and the unit's
/// own user and group.
public struct UserNamespace: Hashable, Sendable {
    /// The id that the kernel reports for every unmapped id: the default of `/proc/sys/kernel/overflowuid`.
    /// The service cannot read the file, because systemd's sandbox hides it.
    public static let overflowID: UInt32 = 65534

    private let users: IDMap
    private let groups: IDMap

    /// Creates a namespace from the kernel's two maps.
    ///
    /// - Parameters:
    ///   - uidMap: The text of `/proc/self/uid_map`. Each line has the first id inside the namespace, the
    ///     first id outside, and the number of ids.
    ///   - gidMap: The text of `/proc/self/gid_map`.
    public init(uidMap: String, gidMap: String) {
        users = IDMap(uidMap)
        groups = IDMap(gidMap)
    }

    /// A namespace that maps every id.
    public static let whole = Self(uidMap: IDMap.wholeText, gidMap: IDMap.wholeText)

    /// The namespace of this process, or ``whole`` if the maps cannot be read.
    public static var current: Self {
        func text(_ name: String) -> String {
            guard let file = try? FileReader("/proc/self/\(name)"),
                let bytes = try? file.read(at: 0, count: mapBytesMax)
            else { return IDMap.wholeText }
            return String(decoding: bytes, as: UTF8.self)
        }
        return Self(uidMap: text("uid_map"), gidMap: text("gid_map"))
    }

    /// The longest map, in bytes: 340 lines of 33 bytes.
    private static let mapBytesMax = 340 * 33

    /// Returns whether this id identifies one user.
    public func maps(user id: uid_t) -> Bool { users.isUnique(id) }

    /// Returns whether this id identifies one group.
    public func maps(group id: gid_t) -> Bool { groups.isUnique(id) }

    private struct IDMap: Hashable {
        /// The map of a process without a user namespace.
        static let wholeText = "0 0 4294967295"

        private var ranges: [ClosedRange<UInt32>] = []

        init(_ text: String) {
            for line in text.split(separator: "\n") {
                let numbers = line.split(separator: " ").compactMap { UInt32($0) }
                guard numbers.count == 3, numbers[2] > 0 else { continue }
                let (last, isTooLarge) = numbers[0].addingReportingOverflow(numbers[2] - 1)
                ranges.append(numbers[0]...(isTooLarge ? .max : last))
            }
        }

        /// Whether the map contains all ids. The last number, `(uid_t)-1`, is not an id.
        private var isWhole: Bool { ranges.contains { $0.lowerBound == 0 && $0.upperBound >= .max - 1 } }

        func isUnique(_ id: UInt32) -> Bool {
            isWhole || id != UserNamespace.overflowID && ranges.contains { $0.contains(id) }
        }
    }
}
