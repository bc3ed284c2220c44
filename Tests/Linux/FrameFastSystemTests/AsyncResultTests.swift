import FrameFastSystem
import Testing

@Suite struct AsyncResultTests {
    @Test func `returns the first value to every task`() async {
        let result = AsyncResult<Int>()
        #expect(result.value == nil)
        let waiting = (0..<3).map { _ in Task { await result.wait() } }
        let cancellable = Task { await result.waitUnlessCancelled() }
        await Task.yield()
        #expect(result.set(1))
        #expect(!result.set(2))
        for task in waiting { #expect(await task.value == 1) }
        #expect(await cancellable.value == 1)
        #expect(await result.wait() == 1)
        #expect(result.value == 1)
    }

    @Test func `cancellation ends waitUnlessCancelled but not wait`() async {
        let result = AsyncResult<Int>()
        let cancellable = Task { await result.waitUnlessCancelled() }
        let patient = Task { await result.wait() }
        cancellable.cancel()
        patient.cancel()
        #expect(await cancellable.value == nil)
        result.set(1)
        #expect(await patient.value == 1)
    }

    @Test func `an event remembers one signal and wakes a waiting task`() async {
        let event = AsyncEvent()
        event.signal()
        event.signal()
        await event.wait()
        let waiting = Task { await event.wait() }
        await Task.yield()
        event.signal()
        await waiting.value
        let cancelled = Task { await event.wait() }
        cancelled.cancel()
        await cancelled.value
    }
}
