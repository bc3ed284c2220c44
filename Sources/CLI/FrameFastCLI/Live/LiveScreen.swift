import APIClient
import FrameFastAPI
import Glibc
import TerminalUI

/// Live view on a terminal that draws pictures.
struct LiveScreen {
    /// The default frame rate, in frames a second. At higher rates, a terminal responds slowly to keys.
    static let defaultRate = 8
    /// The maximum width and height of a drawn frame, in pixels. A terminal reads only a few megabytes per
    /// second.
    static let sideMax = 800

    let client: FrameFastClient
    let camera: CameraReference
    let request: LiveViewRequest

    /// The reason why live view cannot be drawn.
    enum Failure: Error {
        /// The terminal cannot draw pictures, or standard input or output is not a terminal.
        case noPictures
        /// The program `framefast-picture` cannot be started.
        case noDecoder
        /// The program `framefast-picture` has exited.
        case decoderExited

        /// The message and the next step.
        var explanation: Explanation {
            switch self {
            case .noPictures:
                Explanation(
                    status: .usage, code: .invalid, message: "this terminal cannot display images",
                    nextStep:
                        "Use a terminal that displays images (kitty, foot, wezterm), or 'framefast live' with --open, --save or --mjpeg."
                )
            case .noDecoder:
                Explanation(
                    status: .usage, code: .invalid, message: "cannot start framefast-picture",
                    nextStep: "Reinstall FrameFast.")
            case .decoderExited:
                Explanation(
                    status: .failed, code: .internal,
                    message: "cannot decode frames: framefast-picture has exited",
                    nextStep: "Start live view again.")
            }
        }
    }

    /// Shows frames until the daemon ends live view or a signal ends the program.
    func run() throws(Failure) -> Result<Void, ClientError> {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .noPictures }
        let terminal = ScreenTerminal()
        terminal.enter()
        defer { terminal.leave() }
        guard let pictures = PictureProbe.queryTerminal().pictures else { throw .noPictures }
        guard let decoder = PictureProgram() else { throw .noDecoder }
        var request = request
        request.rate = request.rate ?? Self.defaultRate
        do throws(ClientError) {
            try client.pictures(of: camera, request) { jpeg in
                show(jpeg, decoder, pictures, on: terminal)
                return !decoder.hasExited
            }
        } catch { return .failure(error) }
        if decoder.hasExited { throw .decoderExited }
        return .success(())
    }

    private func show(
        _ jpeg: [UInt8], _ decoder: PictureProgram, _ pictures: PictureProtocol, on terminal: ScreenTerminal
    ) {
        // Leave the last line empty, because some terminals scroll if a picture reaches the last line.
        let box = Self.box(rows: TerminalSize.ofStandardOutput().rows - 1)
        guard let pixels = decoder.pixels(of: jpeg, fitting: box) else { return }
        terminal.draw(pixels, pictures, row: 0, column: 0)
    }

    /// Returns the size of the largest frame in this number of lines, in pixels.
    static func box(rows: Int) -> (width: Int, height: Int) {
        let size = TerminalSize.pixelsOfStandardOutput(rows: rows)
        return (min(size.width, sideMax), min(size.height, sideMax))
    }
}
