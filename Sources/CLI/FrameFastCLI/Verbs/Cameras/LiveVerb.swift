import APIClient
import ArgumentParser
import FrameFastAPI
import Glibc
import TerminalUI

struct LiveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "live", abstract: "Show live view of a camera.",
        discussion: """
            Shows live view in terminals that display images (kitty, sixel). Press Ctrl-C to stop. Photo \
            transfers have priority: live view pauses during a transfer. Live view ends a few seconds \
            after the last viewer quits.

            With --open, the command prints the address of the camera's live view on the web page, and opens it in \
            the browser of this computer if there is a display. The page needs `control = true` in [web] and an \
            owner's device.

            With --mjpeg, a stream of JPEGs goes to standard output, for other programs:
              framefast live studio-a --mjpeg | ffmpeg -f mjpeg -i - -f v4l2 /dev/video9
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: .camera)
    var camera: CameraReference

    @Option(
        help: ArgumentHelp(
            "Save one frame to this file. Replaces an existing file. The name - is standard output.",
            valueName: "file")
    )
    var save: String?

    @Flag(help: "Write a stream of JPEGs to standard output.")
    var mjpeg = false

    @Flag(help: "Print the address of live view on the web page, and open it in a browser.")
    var open = false

    @Option(
        help: ArgumentHelp(
            "Maximum frames per second: 1 to 60. Default: \(LiveScreen.defaultRate) in the terminal, \(LiveViewRequest.usualRate) with --mjpeg.",
            valueName: "number"))
    var rate: Int?

    @Option(
        help: ArgumentHelp(
            "Frame size, if the camera offers a choice: large, medium or small.", valueName: "size"))
    var size: String?

    func validate() throws {
        guard [save != nil, mjpeg, open].count(where: { $0 }) <= 1 else {
            throw ValidationError("--save, --mjpeg and --open cannot be combined")
        }
        guard !open || (rate == nil && size == nil) else {
            throw ValidationError("--rate and --size cannot be combined with --open")
        }
        guard rate.map(LiveViewRequest.rateRange.contains) ?? true else {
            throw ValidationError("--rate must be a number from 1 to \(LiveViewRequest.rateRange.upperBound)")
        }
        guard size.map(LiveViewRequest.sizes.contains) ?? true else {
            throw ValidationError("--size must be \(LiveViewRequest.sizes.joined(separator: ", "))")
        }
    }

    func perform(_ context: Context) throws(ClientError) -> ExitStatus {
        if open { return try openPage(context) }
        let request = LiveViewRequest(rate: rate, size: size)
        if let save {
            return write(Array(try context.client.picture(of: camera, request).jpeg), to: save, context)
        }
        if mjpeg {
            try context.client.pictures(of: camera, request) {
                context.output.write($0)
                return true
            }
            return .success
        }
        return try draw(request, context)
    }

    private func openPage(_ context: Context) throws(ClientError) -> ExitStatus {
        let id = try context.client.call(\.cameras.get, camera).value.id
        let web = try context.client.call(\.web.devices).value
        let page: LivePage
        do throws(LivePage.Refusal) { page = try LivePage(web, camera: id) } catch {
            context.output.printError(error.explanation)
            return error.explanation.status
        }
        let environment = { (name: String) in getenv(name).map { String(cString: $0) } }
        let browser = page.open(environment, start: ShortCommand.startInBackground)
        context.output.show(LivePageView(page: page, browser: browser))
        return .success
    }

    private func draw(_ request: LiveViewRequest, _ context: Context) throws(ClientError) -> ExitStatus {
        // Block the signals before other threads start, because threads inherit the signal mask.
        SignalThread.start { signal in
            guard signal != SIGWINCH, signal != SIGCONT else { return }
            ScreenTerminal.restore()
            SignalThread.die(of: signal)
        }
        let end: Result<Void, ClientError>
        do throws(LiveScreen.Failure) {
            end = try LiveScreen(client: context.client, camera: camera, request: request).run()
        } catch {
            context.output.printError(error.explanation)
            return error.explanation.status
        }
        try end.get()
        return .success
    }

    private func write(_ jpeg: [UInt8], to path: String, _ context: Context) -> ExitStatus {
        if path == "-" {
            context.output.write(jpeg)
            return .success
        }
        // Write to a new file and rename it, because readers of the file must never see a partial picture.
        let new = path + ".part"
        let descriptor = Glibc.open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        var isWritten = descriptor >= 0 && FileDescriptorText.write(jpeg, to: descriptor)
        isWritten = (descriptor < 0 || close(descriptor) == 0) && isWritten && rename(new, path) == 0
        guard !isWritten else { return .success }
        let reason = String(cString: strerror(errno))
        unlink(new)
        context.output.printError(
            Explanation(
                status: .failed, code: .invalid, message: "cannot write '\(path)': \(reason)",
                nextStep: "Check the folder and its permissions."))
        return .failed
    }
}
