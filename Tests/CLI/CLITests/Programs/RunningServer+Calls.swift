import APIServer
import SurfaceTestSupport
import TestRig

extension RunningServer {
    /// Waits until a client has made a call.
    ///
    /// On a timeout, ends the event stream. Clients that follow the stream then exit.
    func waitForCall(_ call: String) async throws {
        do {
            try await eventually("the call \"\(call)\"") { surface.calls.contains(call) ? () : nil }
        } catch {
            hub.finish()
            throw error
        }
    }
}
