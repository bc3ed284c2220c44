import CGPhoto2
import Glibc
import Testing

/// Which of the driver's waits are waits.
@Suite struct EventWaitTests {
    private func isLook(_ microseconds: Int) -> Bool {
        var time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        return framefast_is_look(&time) != 0
    }

    @Test func `the driver is kept waiting for an event only after two looks that found nothing`() {
        framefast_packet_passed()
        #expect((1...5).map { _ in isLook(1_000) } == [true, true, false, false, false])
        framefast_packet_passed()
        #expect((1...3).map { _ in isLook(1_000) } == [true, true, false])
    }

    @Test func `a look before a request is no wait, and a wait for an answer is one`() {
        for _ in 1...5 { #expect(isLook(1) && isLook(0)) }
        framefast_packet_passed()
        #expect(!isLook(2_500_000) && !isLook(1_000_001) && !isLook(2_000))
        #expect(framefast_is_look(nil) == 0)
    }

    @Test func `the libraries' waits come through here`() {
        #expect(framefast_wait_is_in_place() != 0)
    }
}
