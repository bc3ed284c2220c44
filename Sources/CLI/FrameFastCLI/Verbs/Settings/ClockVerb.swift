import APIClient
import ArgumentParser
import FrameFastAPI

struct ClockVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "clock", abstract: "Show the drift of camera clocks, or set the clocks.",
        discussion: """
            A clock is set to this computer's time in the camera's configured time zone (time_zone). \
            Exits with 1 if a clock could not be set, or is still off by more than \
            \(ClockReply.driftMaxMs / 1000) s.
            """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Set the clocks.")
    var set = false

    @Argument(help: "Only this camera: its id or name.")
    var camera: CameraReference?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let response =
            if let camera {
                try context.client.call(set ? \.cameras.setClock : \.cameras.clock, camera)
            } else {
                try context.client.call(set ? \.cameras.setClocks : \.cameras.clocks)
            }
        context.output.show(ClocksView(reply: response.value, wasSet: set, json: response.body))
        guard set else { return .success }
        return response.value.refused.isEmpty && response.value.clocks.allSatisfy(\.isCorrect)
            ? .success : .failed
    }
}
