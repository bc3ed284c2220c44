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

    /// Shows what was begun, and how it ended.
    ///
    /// - Parameter begun: the daemon's answer to the order.
    func follow(
        _ begun: FrameFastClient.Answer<CameraOperationReply>, _ context: Context
    ) throws(ClientError) -> ExitStatus {
        guard !detach, let ordered = begun.value.operation, ordered.state == .running else {
            return show(begun, context)
        }
        let camera = CameraReference(rawValue: begun.value.camera.id.rawValue)
        while true {
            let now = try context.client.call(\.operations.get, camera)
            guard let operation = now.value.operation else {
                context.output.progress(nil)
                context.output.fail(OperationView.unknownEnd(of: ordered.kind, on: now.value.camera.name))
                return .failed
            }
            guard operation.state == .running else {
                context.output.progress(nil)
                return show(now, context)
            }
            context.output.progress(OperationView.sentence(operation, of: now.value.camera.name))
            poll(nil, 0, Self.pauseMs)
        }
    }

    private func show(_ answer: FrameFastClient.Answer<CameraOperationReply>, _ context: Context)
        -> ExitStatus
    {
        context.output.show(OperationView(reply: answer.value, json: answer.body))
        return answer.value.operation?.state == .failed ? .failed : .success
    }
}
