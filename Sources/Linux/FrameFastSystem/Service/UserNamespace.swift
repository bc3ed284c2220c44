public import Glibc

/// Which users and groups this process can tell apart: all of them, or only those that its user namespace maps
/// (user_namespaces(7)). systemd's `PrivateUsers=yes` maps root, and the unit's own user and group.
public struct UserNamespace: Hashable, Sendable {
    /// The id that the kernel gives for everybody whom the namespace does not map (`/proc/sys/kernel/overflowuid`, which a
    /// service's sandbox hides; nobody changes it).
    public static let overflowID: UInt32 = 65534

    private let users: IDMap
    private let groups: IDMap

    /// Reads the kernel's two maps.
    ///
    /// - Parameters:
    ///   - uidMap: Text of `/proc/self/uid_map`: lines of first id inside, first id outside, count.
    ///   - gidMap: Text of `/proc/self/gid_map`.
    public init(uidMap: String, gidMap: String) {
        users = IDMap(uidMap)
        groups = IDMap(gidMap)
    }

    /// A namespace that knows everybody.
    public static let whole = Self(uidMap: IDMap.wholeText, gidMap: IDMap.wholeText)

    /// The namespace of this process; whole where the kernel has none.
    public static var current: Self {
        func text(_ name: String) -> String {
            guard let file = try? FileReader("/proc/self/\(name)"),
                let bytes = try? file.read(at: 0, count: mapBytesMax)
            else { return IDMap.wholeText }
            return String(decoding: bytes, as: UTF8.self)
        }
        return Self(uidMap: text("uid_map"), gidMap: text("gid_map"))
    }

    /// A map has at most 340 lines of 33 bytes.
    private static let mapBytesMax = 340 * 33

    /// Whether this id means that user and nobody else.
    public func knows(user id: uid_t) -> Bool { users.isUnique(id) }

    /// Whether this id means that group and no other.
    public func knows(group id: gid_t) -> Bool { groups.isUnique(id) }

    private struct IDMap: Hashable {
        /// What a process outside of every namespace reads.
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

        /// All ids but the last, which is none (`(uid_t)-1`).
        private var isWhole: Bool { ranges.contains { $0.lowerBound == 0 && $0.upperBound >= .max - 1 } }

        func isUnique(_ id: UInt32) -> Bool {
            isWhole || id != UserNamespace.overflowID && ranges.contains { $0.contains(id) }
        }
    }
}
