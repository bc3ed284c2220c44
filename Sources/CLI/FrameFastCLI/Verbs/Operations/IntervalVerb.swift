import APIClient
import ArgumentParser
import FoundationEssentials
import FrameFastAPI
import Glibc

struct IntervalVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "interval", abstract: "Take photos at a fixed interval, or show progress.",
        discussion: """
            Without --every and --count, shows the progress of the interval.

            Photos are taken at fixed times, so delays do not add up. A photo that cannot be taken in time \
            is skipped and listed as missed. The interval continues after this program exits or framefastd \
            restarts. With --group, all cameras take their photos at the same times. Exits with 1 if \
            any photo was not taken or a setting was not changed.

            A file for --ramp has one line per change: the number of a photo, then the settings to change.
              20 shutter=1/60 iso=200
              60 shutter=1/30
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var wait: OperationWait
    @OptionGroup var subject: CameraOrGroup

    @Option(help: ArgumentHelp("Time between two photos, for example 10s, 500ms or 1min.", valueName: "time"))
    var every: TimeArgument?

    @Option(help: ArgumentHelp("Number of photos.", valueName: "number"))
    var count: Int?

    @Option(help: ArgumentHelp("A file with settings to change during the interval.", valueName: "file"))
    var ramp: String?

    /// The time between two polls of the progress, in milliseconds.
    private static let pollMs: Int32 = 500

    func validate() throws {
        guard (every == nil) == (count == nil) else {
            throw ValidationError("--every and --count must be given together")
        }
        guard ramp == nil || every != nil else { throw ValidationError("--ramp needs --every and --count") }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var request: IntervalRequest?
        if let every, let count {
            var steps: [IntervalRequest.RampStep]?
            if let ramp {
                switch RampFile.read(ramp) {
                case .success(let read): steps = read
                case .failure(let problem):
                    context.output.printError(
                        Explanation(
                            status: .usage, code: .invalid,
                            message: "cannot use '\(ramp)': \(problem.message)",
                            nextStep:
                                "Write one line per change, for example 20 shutter=1/60 iso=200 for photo 20."
                        ))
                    return .usage
                }
            }
            request = IntervalRequest(everyMs: every.milliseconds, count: count, ramp: steps)
        }
        return switch subject.choice {
        case .camera(let camera):
            try follow(
                IntervalView.self, camera, \.operations.interval, request, \.operations.getInterval, context)
        case .group(let group):
            try follow(
                GroupIntervalView.self, group, \.groups.interval, request, \.groups.getInterval, context)
        case nil: .usage
        }
    }

    /// Starts the interval and shows its progress until the interval ends. Without a request, shows the
    /// progress once.
    private func follow<View: IntervalPresentation, Path: PathValue>(
        _: View.Type, _ path: Path, _ start: KeyPath<Endpoints, Endpoint<Path, IntervalRequest, View.Reply>>,
        _ request: IntervalRequest?, _ get: KeyPath<Endpoints, Endpoint<Path, NoInput, View.Reply>>,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        func view(_ response: FrameFastClient.Response<View.Reply>) -> View {
            View(reply: response.value, json: response.body)
        }
        var now: View
        var isMissingCameras = false
        if let request {
            now = view(try context.client.call(start, path, request))
            isMissingCameras = now.isMissingCameras
            while !wait.detach, now.state.known == .running {
                context.output.showProgress(now.sentence)
                poll(nil, 0, Self.pollMs)
                now = view(try context.client.call(get, path))
            }
            context.output.showProgress(nil)
        } else {
            now = view(try context.client.call(get, path))
        }
        context.output.show(now)
        // A stopped interval has not taken all photos. This is a failure only for the command that started
        // the interval.
        let isShort = request != nil && (isMissingCameras || now.isIncomplete || now.state.known == .stopped)
        return now.state.known == .failed || isShort ? .failed : .success
    }
}

/// Reads a ramp file: settings that change during an interval.
enum RampFile {
    /// The reason why a file cannot be used.
    struct Problem: Error, Equatable {
        let message: String
    }

    /// The maximum size of a file, in bytes. All changes that an interval accepts fit into this size.
    private static let bytesMax = 1_000_000

    /// Reads the steps in a file.
    static func read(_ path: String) -> Result<[IntervalRequest.RampStep], Problem> {
        guard let bytes = BoundedFile.bytes(path, limit: bytesMax) else {
            return .failure(Problem(message: "the file cannot be read or is too large"))
        }
        return steps(in: String(decoding: bytes, as: UTF8.self))
    }

    /// Parses the steps in a text. Skips empty lines and lines that start with `#`.
    static func steps(in text: String) -> Result<[IntervalRequest.RampStep], Problem> {
        var steps: [IntervalRequest.RampStep] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(separator: " ")
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let settings = words.dropFirst().map { SettingArgument(argument: String($0)) }
            guard let photo = Int(first), photo > 0, !settings.isEmpty, settings.allSatisfy({ $0 != nil })
            else {
                return .failure(Problem(message: "line \(index + 1) is invalid"))
            }
            let pairs = settings.compactMap(\.self).map { ($0.key, $0.value) }
            steps.append(.init(photo: photo, settings: Dictionary(pairs) { $1 }))
        }
        return .success(steps)
    }
}
