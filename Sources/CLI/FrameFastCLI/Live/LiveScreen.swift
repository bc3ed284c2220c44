import APIClient
import FrameFastAPI
import Glibc
import TerminalUI

/// Live view on a terminal that draws pictures.
struct LiveScreen {
    /// Frames a second when nobody says: more would keep a terminal from answering keys.
    static let usualRate = 8
    /// Longest side of what is drawn, in pixels: a terminal takes some megabytes a second.
    static let sideMax = 800

    let client: FrameFastClient
    let camera: CameraReference
    let request: LiveViewRequest

    /// Why nothing can be drawn.
    enum Failure: Error {
        /// The terminal draws no pictures, or it is none.
        case noPictures
        /// `framefast-picture` is not there.
        case noDecoder

        /// The message and the next step for a person.
        var explanation: Explanation {
            switch self {
            case .noPictures:
                Explanation(
                    status: .usage, code: .invalid, message: "cannot draw pictures here",
                    nextStep:
                        "Use a terminal that draws pictures (kitty, foot, wezterm), or 'framefast live' with --save or --mjpeg."
                )
            case .noDecoder:
                Explanation(
                    status: .usage, code: .invalid, message: "cannot start framefast-picture",
                    nextStep: "Install FrameFast again.")
            }
        }
    }

    /// Shows frames until a signal ends it, or the daemon does.
    func run() throws(Failure) -> Result<Void, ClientError> {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .noPictures }
        let terminal = ScreenTerminal()
        terminal.enter()
        defer { terminal.leave() }
        guard let pictures = PictureProbe.ask().pictures else { throw .noPictures }
        guard let decoder = PictureProgram() else { throw .noDecoder }
        var request = request
        request.rate = request.rate ?? Self.usualRate
        do throws(ClientError) {
            try client.pictures(of: camera, request) { jpeg in
                show(jpeg, decoder, pictures, on: terminal)
                return true
            }
        } catch { return .failure(error) }
        return .success(())
    }

    private func show(
        _ jpeg: [UInt8], _ decoder: PictureProgram, _ pictures: PictureProtocol, on terminal: ScreenTerminal
    ) {
        // Without the last line: some terminals scroll when a picture reaches into it.
        let box = Self.box(rows: TerminalSize.ofStandardOutput().rows - 1)
        guard let pixels = decoder.pixels(of: jpeg, fitting: box) else { return }
        terminal.draw(pixels, pictures, row: 0, column: 0)
    }

    /// The largest picture for a number of lines, in pixels.
    static func box(rows: Int) -> (width: Int, height: Int) {
        let size = TerminalSize.pixelsOfStandardOutput(rows: rows)
        return (min(size.width, sideMax), min(size.height, sideMax))
    }
}
