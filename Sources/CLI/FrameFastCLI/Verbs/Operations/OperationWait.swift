import APIClient
import ArgumentParser
import FrameFastAPI
import Glibc

/// Waits for the end of a camera's operation, and shows its progress.
struct OperationWait: ParsableArguments {
    /// The time between two polls of the daemon, in milliseconds.
    private static let pauseMs: Int32 = 250

    @Flag(help: "Do not wait for the end.")
    var detach = false

    /// Shows the progress of an operation and how it ended.
    ///
    /// - Parameters:
    ///   - begun: The daemon's reply to the request.
    ///   - kind: The requested operation, or `nil` for a request to stop the running one.
    ///   - isStopWanted: Whether the operation has no end of its own, so that stopping it is a success.
    /// - Returns: `failed` if the requested operation failed or did not complete.
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
            // An idle camera has nothing left to stop.
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
