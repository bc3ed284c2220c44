import APIServer
import SurfaceTestSupport
import TestRig

extension RunningServer {
    /// Waits until a client has made a call.
    ///
    /// If the wait times out, the event stream ends. A client that follows the stream then also ends.
    func waitForCall(_ call: String) async throws {
        do {
            try await eventually("the call \"\(call)\"") { surface.calls.contains(call) ? () : nil }
        } catch {
            hub.finish()
            throw error
        }
    }
}
