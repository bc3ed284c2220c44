import APIClient
import FrameFastAPI
import Glibc
import SystemIO
import TerminalUI

/// The differences between a preset and the connected cameras, read before a session applies the preset.
struct PresetDifferences: Equatable {
    /// The longest wait for the cameras, in seconds. A camera usually responds within a fraction of a second.
    /// A camera that hangs or takes a long exposure must not delay the start of the session.
    static let limitSeconds = 2

    /// The response of a camera.
    enum Answer: Equatable, Sendable {
        /// The results of a dry run.
        case results([SettingResultReply])
        /// The settings could not be read. The value is the reason.
        case failed(String)
        /// The camera did not respond within ``PresetDifferences/limitSeconds``.
        case silent
    }

    /// The differences of one camera.
    struct Row: Equatable {
        /// The name of the camera.
        let cameraName: String
        /// The camera's response.
        var answer: Answer
    }

    /// The connected cameras, in the order of the daemon's list.
    var rows: [Row]

    /// Reads the differences of all connected cameras at the same time. If a camera does not respond, its
    /// thread runs until the program ends.
    ///
    /// - Returns: The differences, or `nil` if the preset or the list of cameras cannot be read. In this
    ///   case, the start of the session reports the reason.
    static func read(_ preset: PresetName, _ context: Context) -> PresetDifferences? {
        let client = context.client
        guard (try? client.call(\.presets.get, preset)) != nil,
            let cameras = try? client.call(\.cameras.list).value.cameras.filter(\.isConnected)
        else { return nil }
        let deadline = Deadline(
            seconds: limitSeconds * DebugSwitches.signOfLifeFactor, clock: context.clock)
        let mailbox = Mailbox<(index: Int, answer: Answer)>()
        for (index, camera) in cameras.enumerated() {
            let reference = CameraReference(camera.id)
            PlainThread.startOrExit("differences") {
                mailbox.post((index, Self.readAnswer(of: reference, preset, client)))
            }
        }
        var rows = cameras.map { Row(cameraName: $0.name, answer: .silent) }
        var missing = rows.count
        while missing > 0, !deadline.isOver {
            let limit = Int32(clamping: deadline.millisecondsLeft ?? 0)
            _ = try? IO.poll(mailbox.descriptor, for: POLLIN, milliseconds: limit)
            for message in mailbox.takeAll() {
                rows[message.index].answer = message.answer
                missing -= 1
            }
        }
        return PresetDifferences(rows: rows)
    }

    private static func readAnswer(
        of camera: CameraReference, _ preset: PresetName, _ client: FrameFastClient
    ) -> Answer {
        let request = PresetApplyRequest(camera: camera, dryRun: true)
        do throws(ClientError) {
            return .results(try client.call(\.presets.apply, preset, request).value.results)
        } catch { return .failed(error.explanation.message) }
    }
}
