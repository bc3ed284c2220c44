import APIClient
import ArgumentParser
import FrameFastAPI
import Glibc

/// The option `--detach`. Without this option, the command waits until the camera's operation ends.
struct OperationWait: ParsableArguments {
    /// The time between two polls of the daemon, in milliseconds.
    private static let pollMs: Int32 = 250

    @Flag(help: "Return immediately instead of waiting for the end of the operation.")
    var detach = false

    /// Shows the progress and the result of an operation. With `--detach`, shows the current state.
    ///
    /// - Parameters:
    ///   - started: The daemon's reply to the request.
    ///   - kind: The requested operation, or `nil` for a request to stop the running operation.
    ///   - isOpenEnded: Whether the operation runs until it is stopped. If so, stopping it is a success.
    /// - Returns: `failed` if the requested operation failed or did not complete.
    func waitForEnd(
        _ started: FrameFastClient.Response<CameraOperationReply>, _ context: Context,
        of kind: OperationKind?, isOpenEnded: Bool = false
    ) throws(ClientError) -> ExitStatus {
        let camera = CameraReference(started.value.camera.id)
        var now = started
        while !detach, let operation = now.value.operation, operation.state == .running {
            context.output.showProgress(OperationView.sentence(operation, of: now.value.camera.name))
            poll(nil, 0, Self.pollMs)
            now = try context.client.call(\.operations.get, camera)
        }
        context.output.showProgress(nil)
        guard let operation = now.value.operation else {
            // A request to stop an idle camera has nothing to stop, and succeeds.
            guard let kind = kind.map({ Word($0) }) ?? started.value.operation?.$kind else {
                context.output.show(OperationView(reply: now.value, json: now.body))
                return .success
            }
            context.output.printError(OperationView.unknownEnd(of: kind, on: now.value.camera.name))
            return .failed
        }
        context.output.show(OperationView(reply: now.value, json: now.body))
        switch operation.state {
        case .running: return .success
        case .failed: return .failed
        default: return kind == nil || isOpenEnded || operation.isComplete ? .success : .failed
        }
    }
}
