import Makers

/// Faults of libgphoto2 that a photographer may run into, by version.
enum DriverFaults {
    private struct Fault {
        /// First version that has it; `nil` for all.
        let since: String?
        /// First version without it; `nil` while it is there.
        let until: String?
        let sentence: String
    }

    private static let faults = [
        Fault(
            since: nil, until: "2.5.34",
            sentence:
                "Versions before 2.5.34 can be attacked by a hostile USB device (CVE-2026-40333 and others); the worker process is confined for that reason."
        ),
        Fault(
            since: nil, until: "2.5.31",
            sentence:
                "Versions before 2.5.31 do not know the OM-1, and photos on the card of an EOS R5 II, R1 or R6 III."
        ),
        Fault(
            since: "2.5.31", until: nil,
            sentence:
                "Since 2.5.31 some EOS bodies show BUSY while they are connected (libgphoto2 issue 1210)."),
    ]

    /// What is known to be wrong in a version, as sentences.
    static func known(in version: String) -> [String] {
        let version = LibraryVersion(version)
        return faults.filter { fault in
            fault.since.map { LibraryVersion($0) <= version } ?? true
                && fault.until.map { version < LibraryVersion($0) } ?? true
        }.map(\.sentence)
    }
}
