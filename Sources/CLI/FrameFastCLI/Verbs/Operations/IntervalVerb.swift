import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI
import Glibc

struct IntervalVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "interval", abstract: "Take photos at even distances, or show how far that is.",
        discussion: """
            Each photo has a time of its own, so nothing adds up; one whose time goes by is missed and listed, and none is made \
            up for. The interval goes on when this program ends, and after a restart of framefastd. Without --every and --count \
            it shows the camera's interval.

            A file for --ramp has a line for each change: the number of the photo, then settings.
              20 shutter=1/60 iso=200
              40 shutter=1/30
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var wait: OperationWait

    @Option(help: ArgumentHelp("Distance of two photos: 10s, 500ms, 1min.", valueName: "time"))
    var every: TimeArgument?

    @Option(help: ArgumentHelp("How many photos.", valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("A file of settings to change on the way.", valueName: "file"))
    var ramp: String?

    @Argument(help: "The camera: its id or name.")
    var camera: CameraReference

    func validate() throws {
        guard (every == nil) == (count == nil) else {
            throw ValidationError("--every and --count belong together")
        }
        guard ramp == nil || every != nil else { throw ValidationError("--ramp needs --every and --count") }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        guard let every, let count else {
            return show(try context.client.call(\.operations.getInterval, camera), context)
        }
        var request = IntervalRequest(everyMs: every.milliseconds, count: count)
        if let ramp {
            switch RampFile.read(ramp) {
            case .success(let steps): request.ramp = steps
            case .failure(let problem):
                context.output.fail(
                    Explanation(
                        status: .usage, code: .invalid, message: "cannot use '\(ramp)': \(problem.words)",
                        nextStep: "A line is the number of a photo, then settings: 20 shutter=1/60 iso=200."))
                return .usage
            }
        }
        var answer = try context.client.call(\.operations.interval, camera, request)
        while !wait.detach, answer.value.state == .running {
            context.output.progress(IntervalView.sentence(answer.value))
            poll(nil, 0, 500)
            answer = try context.client.call(\.operations.getInterval, camera)
        }
        context.output.progress(nil)
        return show(answer, context)
    }

    private func show(_ answer: FrameFastClient.Answer<IntervalReply>, _ context: Context) -> ExitStatus {
        context.output.show(IntervalView(reply: answer.value, json: answer.body))
        return answer.value.state == .failed ? .failed : .success
    }
}

/// Settings that change on the way, in a file that people write.
enum RampFile {
    /// What is wrong with it.
    struct Problem: Error, Equatable {
        let words: String
    }

    /// Longest file, in bytes: as many changes as an interval takes.
    private static let bytesMax = 1_000_000

    static func read(_ path: String) -> Result<[IntervalRequest.RampStep], Problem> {
        guard let bytes = BoundedFile.bytes(path, limit: bytesMax) else {
            return .failure(Problem(words: "it cannot be read, or is too long"))
        }
        return steps(in: String(decoding: bytes, as: UTF8.self))
    }

    /// Empty lines and those with `#` in front are comments.
    static func steps(in text: String) -> Result<[IntervalRequest.RampStep], Problem> {
        var steps: [IntervalRequest.RampStep] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(separator: " ")
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let settings = words.dropFirst().map { SettingArgument(argument: String($0)) }
            guard let photo = Int(first), photo > 0, !settings.isEmpty, settings.allSatisfy({ $0 != nil })
            else {
                return .failure(Problem(words: "line \(index + 1) cannot be read"))
            }
            let pairs = settings.compactMap(\.self).map { ($0.key, $0.value) }
            steps.append(.init(photo: photo, settings: Dictionary(pairs) { $1 }))
        }
        return .success(steps)
    }
}
