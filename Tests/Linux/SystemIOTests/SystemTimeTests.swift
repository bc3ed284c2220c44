import Glibc
import SystemIO
import Testing

@Suite struct SystemTimeTests {
    @Test func `returns the processor time of a process, or nil if the process does not exist`() throws {
        let first = try #require(SystemTime.processorNs(of: getpid()))
        let second = try #require(SystemTime.processorNs(of: getpid()))
        #expect(first > 0 && second >= first)
        // The kernel's largest process number is 4,194,304.
        #expect(SystemTime.processorNs(of: 4_194_305) == nil)
    }
}
