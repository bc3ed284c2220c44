import FoundationEssentials
import FrameFastAPI
import Glibc
import TerminalUI

/// The two user interfaces of the flow: a full screen with keys, and printed lines for dumb terminals and
/// scripts.
extension ConnectRun {
    /// Runs the flow on a full screen with keys.
    ///
    /// - Parameters:
    ///   - finishesAtOnce: Whether the flow ends as soon as the camera is ready.
    ///   - isStill: Whether animations are off.
    func runOnScreen(
        style: Style, makers: [MakerReply], deadline: Deadline, finishesAtOnce: Bool, isStill: Bool
    ) -> Ending {
        // The loop blocks signals before other threads start, because threads inherit the signal mask.
        let loop = ScreenLoop()
        if let ending = start(makers: makers) { return ending }
        return loop.run(
            style, messages: mailbox.descriptor, waitMs: { Motion.waitMs(isBusy: true, isStill: isStill) },
            draw: { layout in
                let now = clock.now()
                let frame = Motion.frame(Int(now.timeIntervalSince1970 * 1000), isStill: isStill)
                let screen = ConnectScreen(flow: flow, now: now, frame: frame)
                flow.scroll = min(flow.scroll, screen.scrollMax(layout))
                return screen.lines(layout)
            },
            handle: { input in
                if let ending = handle(input) { return ending }
                if finishesAtOnce, case .ready(let camera) = flow.stage { return .ready(camera) }
                return deadline.isOver ? endingAfterTimeout(deadline) : nil
            })
    }

    private func handle(_ input: ScreenLoop.Input) -> Ending? {
        switch input {
        case .key(.redraw), .time: return nil
        case .key(let key): return perform(flow.press(key))
        case .messages: return handleMessages()
        case .closed: return .left
        case .signal(SIGINT):
            if case .ready(let camera) = flow.stage { return .ready(camera) }
            return .left
        case .signal(let signal): return .signal(signal)
        }
    }

    /// Runs the flow with printed lines. Reads input from standard input if the program may prompt.
    func runOnLines(output: Output, makers: [MakerReply], deadline: Deadline) -> Ending {
        var shown: [String] = []
        var prompted: ConnectFlow.Stage?
        var typed: [UInt8] = []
        if let ending = start(makers: makers) { return ending }
        while true {
            printChanges(output, &shown)
            if flow.canAsk, case .ready(let camera) = flow.stage { return .ready(camera) }
            let asks = flow.canAsk && (flow.isTyping || !flow.choices.isEmpty)
            if asks, prompted != flow.stage || flow.errorMessage != nil {
                flow.errorMessage = nil
                prompted = flow.stage
                let prompt = flow.isTyping ? "Answer: " : "Number, or q to quit: "
                FileDescriptorText.write(prompt, to: STDOUT_FILENO)
            }
            if wait(milliseconds: deadline.millisecondsLeft, withInput: asks) {
                guard let bytes = ScreenLoop.readInput() else { return .left }
                typed += bytes
                while let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: typed[..<end], as: UTF8.self)
                    typed.removeSubrange(...end)
                    if line == "q", !flow.isTyping { return .left }
                    prompted = nil
                    if let ending = perform(flow.enterLine(line)) { return ending }
                }
            }
            if let ending = handleMessages() {
                if case .ready = ending { printChanges(output, &shown) }
                return ending
            }
            if deadline.isOver, let ending = endingAfterTimeout(deadline) { return ending }
        }
    }

    /// Prints the lines of the current screen that the previous call did not print.
    private func printChanges(_ output: Output, _ shown: inout [String]) {
        let screen = ConnectScreen(flow: flow, now: clock.now())
        if case .loading = flow.stage { return }
        let lines = output.format.lines(
            human: screen.body(output.style.layout()).map(output.style.encode), plain: screen.plain(),
            json: [])
        let old = Set(shown)
        for line in lines where !line.isEmpty && !old.contains(line) { output.printLine(line) }
        shown = lines
    }

    /// Returns the result of the flow after the deadline, or `nil` if the camera is ready.
    private func endingAfterTimeout(_ deadline: Deadline) -> Ending? {
        if case .ready = flow.stage { return nil }
        guard let camera = flow.camera, camera.needsAttention else {
            let name = flow.camera.map { "'\($0.name)'" } ?? "a camera"
            return .failed(
                Explanation(
                    status: .failed, code: .cameraFailed,
                    message: "cannot connect \(name) within \(deadline.seconds ?? 0) s",
                    nextStep: "Find the cause with `framefast doctor`."))
        }
        let sentence = camera.guidance?.sentence ?? "The camera cannot be used in its current state."
        let steps = camera.guidance?.steps.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: " ")
        return .failed(
            Explanation(
                status: .attention, code: .cameraFailed, message: "\(camera.name): \(sentence)",
                nextStep: steps))
    }
}
