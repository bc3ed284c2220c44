import CGPhoto2
import Glibc
import Testing

/// Tests which of the driver's waits return immediately.
@Suite struct EventWaitTests {
    private func returnsImmediately(_ microseconds: Int) -> Bool {
        var time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        return framefast_returns_immediately(&time) != 0
    }

    @Test func `blocks the driver's event wait only after two empty polls`() {
        framefast_packet_passed()
        #expect((1...5).map { _ in returnsImmediately(1_000) } == [true, true, false, false, false])
        framefast_packet_passed()
        #expect((1...3).map { _ in returnsImmediately(1_000) } == [true, true, false])
    }

    @Test func `distinguishes the poll before a request from waiting for a response`() {
        for _ in 1...5 { #expect(returnsImmediately(1) && returnsImmediately(0)) }
        framefast_packet_passed()
        for wait in [2_500_000, 1_000_001, 2_000] { #expect(!returnsImmediately(wait)) }
        #expect(framefast_returns_immediately(nil) == 0)
    }

    @Test func `the library calls the wait hook`() {
        #expect(framefast_wait_is_in_place() != 0)
    }
}
