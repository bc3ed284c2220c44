import APIClient
import ArgumentParser
import FrameFastAPI
import Glibc

/// Waits for the end of what a camera was told to do, and says how far it is.
struct OperationWait: ParsableArguments {
    /// How often the daemon is asked, in milliseconds.
    private static let pauseMs: Int32 = 250

    @Flag(help: "Do not wait for the end.")
    var detach = false

    /// Shows what was begun, and how it ended. What was ordered and did not happen is a failure.
    ///
    /// - Parameters:
    ///   - begun: the daemon's answer to the order.
    ///   - kind: what was ordered; `nil` for the order to stop whatever runs.
    ///   - isStopWanted: whether it was ordered until it is stopped.
    func follow(
        _ begun: FrameFastClient.Answer<CameraOperationReply>, _ context: Context,
        of kind: OperationReply.Kind?, isStopWanted: Bool = false
    ) throws(ClientError) -> ExitStatus {
        let camera = CameraReference(rawValue: begun.value.camera.id.rawValue)
        var now = begun
        while !detach, let operation = now.value.operation, operation.state == .running {
            context.output.progress(OperationView.sentence(operation, of: now.value.camera.name))
            poll(nil, 0, Self.pauseMs)
            now = try context.client.call(\.operations.get, camera)
        }
        context.output.progress(nil)
        guard let operation = now.value.operation else {
            // A camera that does nothing has stopped what it did.
            guard let kind = kind ?? begun.value.operation?.kind else {
                context.output.show(OperationView(reply: now.value, json: now.body))
                return .success
            }
            context.output.fail(OperationView.unknownEnd(of: kind, on: now.value.camera.name))
            return .failed
        }
        context.output.show(OperationView(reply: now.value, json: now.body))
        switch operation.state {
        case .running: return .success
        case .failed: return .failed
        default: return kind == nil || isStopWanted || operation.isWhole ? .success : .failed
        }
    }
}
