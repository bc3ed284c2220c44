import CGPhoto2
import Glibc
import Testing

/// Tests which of the driver's waits return immediately.
@Suite struct EventWaitTests {
    private func isLook(_ microseconds: Int) -> Bool {
        var time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        return framefast_is_look(&time) != 0
    }

    @Test func `blocks the driver's event wait only after two empty polls`() {
        framefast_packet_passed()
        #expect((1...5).map { _ in isLook(1_000) } == [true, true, false, false, false])
        framefast_packet_passed()
        #expect((1...3).map { _ in isLook(1_000) } == [true, true, false])
    }

    @Test func `distinguishes the poll before a request from waiting for a response`() {
        for _ in 1...5 { #expect(isLook(1) && isLook(0)) }
        framefast_packet_passed()
        #expect(!isLook(2_500_000) && !isLook(1_000_001) && !isLook(2_000))
        #expect(framefast_is_look(nil) == 0)
    }

    @Test func `the library calls the wait hook`() {
        #expect(framefast_wait_is_in_place() != 0)
    }
}
