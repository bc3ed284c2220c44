import Glibc
import SystemIO
import Testing

@Suite struct SystemTimeTests {
    @Test func `returns a process's processor time, or nil for a missing process`() throws {
        let first = try #require(SystemTime.processorNs(of: getpid()))
        let second = try #require(SystemTime.processorNs(of: getpid()))
        #expect(first > 0 && second >= first)
        // The kernel's largest process number is 4,194,304.
        #expect(SystemTime.processorNs(of: 4_194_305) == nil)
    }
}
