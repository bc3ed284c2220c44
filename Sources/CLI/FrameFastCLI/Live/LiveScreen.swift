import APIClient
import FrameFastAPI
import Glibc
import TerminalUI

/// Live view on a terminal that draws pictures.
struct LiveScreen {
    /// Frames a second when nobody says: more would keep a terminal from answering keys.
    static let usualRate = 8
    /// Longest side of what is drawn, in pixels: a terminal takes some megabytes a second.
    private static let sideMax = 800

    let client: FrameFastClient
    let camera: CameraReference
    let request: LiveViewRequest

    /// Why nothing can be drawn.
    enum Failure: Error {
        /// The terminal draws no pictures, or it is none.
        case noPictures
        /// `framefast-picture` is not there.
        case noDecoder
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
            try client.follow(camera, request) { jpeg in
                show(jpeg, decoder, pictures)
                return true
            }
        } catch { return .failure(error) }
        return .success(())
    }

    private func show(_ jpeg: [UInt8], _ decoder: PictureProgram, _ pictures: PictureProtocol) {
        let room = TerminalSize.pixelsOfStandardOutput()
        let box = (width: min(room.width, Self.sideMax), height: min(room.height, Self.sideMax))
        guard let pixels = decoder.pixels(of: jpeg, fitting: box) else { return }
        // In one update, from the upper left corner.
        let text = "\u{1B}[?2026h\u{1B}[H" + pictures.drawing(pixels) + "\u{1B}[?2026l"
        FileDescriptorText.write(text, to: STDOUT_FILENO)
    }
}
