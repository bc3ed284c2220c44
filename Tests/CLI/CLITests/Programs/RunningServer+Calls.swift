import APIServer
import SurfaceTestSupport
import TestRig

extension RunningServer {
    /// Waits until a client has made a call.
    ///
    /// If the wait times out, the event stream ends, so that a client that follows it ends as well.
    func waitForCall(_ call: String) async throws {
        do {
            try await eventually("the call \"\(call)\"") { surface.calls.contains(call) ? () : nil }
        } catch {
            hub.finish()
            throw error
        }
    }
}
