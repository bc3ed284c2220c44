import FrameFastAPI
import Testing

@testable import FrameFastCLI
@testable import TerminalUI

/// Tests of the texts about the disk for photos.
@Suite struct DiskViewTests {
    @Test(arguments: [
        (DiskReply.Guard.ok, ["500.0 MB free", "/srv/photos"]),
        (.full, ["full, photos wait on cameras", "500.0 MB free", "/srv/photos"]),
        (.away, ["the photo folder is unavailable", "/srv/photos"]),
    ])
    func `shows free space only if it is known`(state: DiskReply.Guard, words: [String]) {
        let disk = DiskReply(
            directory: "/srv/photos", freeBytes: state == .away ? 0 : 500_000_000, minFreeBytes: 0,
            totalBytes: 1_000_000_000, guard: state)
        let plain = DiskView(disk).plain().joined(separator: "\n")
        for word in words { #expect(plain.contains(word), "\(plain)") }
        #expect(plain.contains("free") == (state != .away), "\(plain)")
    }
}
