import FrameFastSystem
import Glibc
import SystemPackage
import Testing

@Suite struct ErrnoGroupsTests {
    @Test(arguments: [
        (ENOSPC, "diskFull"), (EDQUOT, "diskFull"), (ENOENT, "missing"), (ENOTDIR, "missing blocked"),
        (EISDIR, "blocked"), (ELOOP, "blocked"), (EACCES, "notAllowed"), (EPERM, "notAllowed"),
        (EMFILE, "exhausted preventsStart"), (ENFILE, "exhausted preventsStart"),
        (ENOMEM, "exhausted preventsStart"), (EAGAIN, "preventsStart"), (EIO, ""), (ESTALE, ""), (EROFS, ""),
    ])
    func `assigns error numbers to groups`(number: Int32, groups: String) {
        let errno = Errno(rawValue: number)
        let all: [(String, Bool)] = [
            ("diskFull", errno.isDiskFull), ("missing", errno.isPathMissing), ("blocked", errno.isBlocked),
            ("notAllowed", errno.isNotAllowed), ("exhausted", errno.isExhausted),
            ("preventsStart", errno.preventsStart),
        ]
        #expect(all.filter(\.1).map(\.0).joined(separator: " ") == groups)
    }
}
