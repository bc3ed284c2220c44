import APIClient
import ArgumentParser
import FrameFastAPI
import TextForms

/// A duration on the command line, for example `30s`, `500ms` or `2min`. A bare number is seconds.
struct TimeArgument: ExpressibleByArgument {
    let milliseconds: Int

    init?(argument: String) {
        guard let duration = DurationText.duration(of: argument, bareUnit: "s") else { return nil }
        let (seconds, attoseconds) = duration.components
        milliseconds = Int(clamping: seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    var seconds: Double { Double(milliseconds) / 1_000 }
}

struct BulbVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "bulb", abstract: "Take a long exposure (bulb).",
        discussion: """
            The shutter closes after the exposure time, even if this program or framefastd exits. The \
            camera must be in mode M or B. Some cameras must also be set to bulb on the camera itself.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var wait: OperationWait

    @Argument(help: .camera)
    var camera: CameraReference

    @Argument(help: "Exposure time, for example 30s, 500ms or 2min.")
    var time: TimeArgument

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let started = try context.client.call(\.operations.bulb, camera, BulbRequest(seconds: time.seconds))
        return try wait.waitForEnd(started, context, of: .bulb)
    }
}

struct BracketVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "bracket", abstract: "Take photos at several exposures.",
        discussion: """
            Changes the exposure time in mode M, and the exposure compensation in other modes. Restores \
            the previous settings at the end, even after an error.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var wait: OperationWait

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Exposures in stops relative to the current setting, for example -1,0,1.", valueName: "stops"))
    var ev: StopsArgument

    @Argument(help: .camera)
    var camera: CameraReference

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let started = try context.client.call(\.operations.bracket, camera, BracketRequest(stops: ev.stops))
        return try wait.waitForEnd(started, context, of: .bracket)
    }
}

/// Exposures on the command line, in stops, for example `-1,0,+1`.
struct StopsArgument: ExpressibleByArgument {
    let stops: [Double]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        stops = parts.compactMap { Double($0) }.filter(\.isFinite)
        guard stops.count == parts.count else { return nil }
    }
}

struct StackVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "stack", abstract: "Take photos at several focus positions (focus stacking).",
        discussion: """
            Takes the first photo at the current focus, and moves the focus by --steps before each further \
            photo. Cameras do not report the lens position, so the focus returns only approximately to its \
            start.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var wait: OperationWait

    @Option(help: ArgumentHelp("Number of photos.", valueName: "number"))
    var count: Int

    @Option(help: ArgumentHelp("Steps between two photos.", valueName: "number"))
    var steps = 1

    @Option(help: ArgumentHelp("Size of a step: small, medium or large.", valueName: "size"))
    var size = "medium"

    @Flag(help: "Move the focus toward the camera. Default: away from the camera.")
    var near = false

    @Argument(help: .camera)
    var camera: CameraReference

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var move = FocusRequest(action: near ? .near : .far, steps: steps)
        move.size = Word(text: size)
        let started = try context.client.call(
            \.operations.stack, camera, FocusStackRequest(count: count, move: move))
        return try wait.waitForEnd(started, context, of: .focusStack)
    }
}

struct StopVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stop a running bulb, interval, bracket, stack, movie or live view, of a camera or a group."
    )

    @OptionGroup var global: GlobalOptions
    @OptionGroup var wait: OperationWait
    @OptionGroup var subject: CameraOrGroup

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        switch subject.choice {
        case .camera(let camera):
            return try wait.waitForEnd(try context.client.call(\.operations.stop, camera), context, of: nil)
        case .group(let group):
            let response = try context.client.call(\.groups.stop, group)
            context.output.show(GroupOperationsView(reply: response.value, json: response.body))
            return response.value.cameras.isEmpty ? .failed : .success
        case nil: return .usage
        }
    }
}

struct FocusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "focus", abstract: "Autofocus a camera, or move its focus.",
        discussion: """
            auto starts autofocus, and cancel stops it. near and far move the focus by steps. Most cameras \
            allow these steps only during live view. Cameras do not report the lens position.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(help: ArgumentHelp("Number of steps.", valueName: "number"))
    var steps: Int?

    @Option(help: ArgumentHelp("Size of a step: small, medium or large.", valueName: "size"))
    var size: String?

    @Argument(help: .camera)
    var camera: CameraReference

    @Argument(help: "auto, near, far or cancel.")
    var action: String

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        var request = FocusRequest(action: .auto, steps: steps)
        request.$action = Word(text: action)
        request.size = size.map { Word(text: $0) }
        let response = try context.client.call(\.operations.focus, camera, request)
        context.output.show(
            FocusView(cameraName: response.value.camera.name, action: action, json: response.body))
        return .success
    }
}

struct MovieVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "movie", abstract: "Record a movie. `framefast stop` stops it.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var wait: OperationWait

    @Argument(help: .camera)
    var camera: CameraReference

    @Argument(help: "Recording time, for example 30s or 2min. Default: until `framefast stop`.")
    var time: TimeArgument?

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        let started = try context.client.call(
            \.operations.movie, camera, MovieRequest(seconds: time?.seconds))
        return try wait.waitForEnd(started, context, of: .movie, isOpenEnded: time == nil)
    }
}
