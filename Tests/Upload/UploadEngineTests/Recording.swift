import Foundation
import FrameFastModel
import Synchronization

@testable import UploadEngine

/// A list of recorded elements. A test can wait for a condition.
final class Recording<Element: Sendable>: Sendable {
    private struct Waiter {
        var id: UUID
        var condition: @Sendable ([Element]) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private let state = Mutex<(elements: [Element], waiters: [Waiter])>(([], []))

    var all: [Element] { state.withLock { $0.elements } }

    func add(_ element: Element) {
        let ready = state.withLock { state -> [Waiter] in
            state.elements.append(element)
            let elements = state.elements
            let ready = state.waiters.filter { $0.condition(elements) }
            state.waiters.removeAll { $0.condition(elements) }
            return ready
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Waits until the recorded elements satisfy the condition. If they never do, the test's time limit ends
    /// the wait.
    func wait(until condition: @escaping @Sendable ([Element]) -> Bool) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if Task.isCancelled || condition(state.elements) { return true }
                    state.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume()
        }
    }
}
