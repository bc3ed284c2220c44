import FrameFastAPI
import Testing

@testable import FrameFastCLI
@testable import TerminalUI

/// What is said of the disk that photos go to.
@Suite struct DiskViewTests {
    @Test(arguments: [
        (DiskReply.Guard.ok, ["500.0 MB free", "/srv/photos"]),
        (.full, ["full, photos wait in cameras", "500.0 MB free", "/srv/photos"]),
        (.away, ["the folder for photos cannot be used now", "/srv/photos"]),
    ])
    func `names free space only where it is known`(state: DiskReply.Guard, words: [String]) {
        let disk = DiskReply(
            directory: "/srv/photos", freeBytes: state == .away ? 0 : 500_000_000, minFreeBytes: 0,
            totalBytes: 1_000_000_000, guard: state)
        let plain = DiskView(disk).plain().joined(separator: "\n")
        for word in words { #expect(plain.contains(word), "\(plain)") }
        #expect(plain.contains("free") == (state != .away), "\(plain)")
    }
}
