import APIClient
import FoundationEssentials
import FrameFastAPI
import Glibc
import SystemIO
import TerminalUI

/// A runner of the live screen. The runner performs the actions of keys. It passes the results of calls and
/// the events of the daemon to the screen.
final class WatchRun {
    /// An event of the daemon, or the result of a call.
    enum Message: Sendable {
        case event(EventReply)
        case offline(Explanation)
        case newest(CapturesReply, [UploadJobReply])
        case newestFailed(Explanation)
        case uploads([UploadJobReply])
        case older(CapturesReply, cursor: String)
        case olderFailed(Explanation, cursor: String)
        case settings(SettingsReply)
        case settingsFailed(Explanation)
        case live(LiveFeed, LiveFeed.Report)
        case done(String)
        case failed(Explanation)
    }

    /// The number of photos in a page. The first page usually covers the half hour that the shot chart shows.
    static let shotsOfPage = 500
    /// The maximum number of uploads in one request after new photos.
    static let uploadsRequested = 200
    /// The minimum time between two requests for the uploads of new photos.
    static let requestInterval = Duration.seconds(1)

    private let client: FrameFastClient
    private let clock: CommandClock
    private let mailbox = Mailbox<Message>()
    private let isStill: Bool
    private let ringsBell: Bool
    private var state = WatchState()
    /// The uptime at the last request for uploads, or `nil` before the first request.
    private var requestedAt: Duration?
    /// The running live view, or `nil` if live view is off.
    private var feed: LiveFeed?
    /// The terminal's protocol for pictures, or `nil` if the terminal has no protocol or was not queried yet.
    private var pictures: PictureProtocol?
    /// The range of screen lines for a frame of live view.
    private var pictureRows = 0..<1

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - isStill: Whether animations are off.
    ///   - ringsBell: Whether the terminal's bell rings when a new condition needs attention.
    init(client: FrameFastClient, clock: CommandClock, isStill: Bool, ringsBell: Bool) {
        self.client = client
        self.clock = clock
        self.isStill = isStill
        self.ringsBell = ringsBell
    }

    /// Shows the screen until the person quits.
    ///
    /// - Returns: The signal that ended the screen, or `nil` if the person quit.
    func run(style: Style) -> Int32? {
        // The loop blocks signals before other threads start, because threads inherit the signal mask.
        let loop = ScreenLoop()
        let (client, mailbox) = (client, mailbox)
        PlainThread.startOrExit("events") {
            EventFollower.run(client) { update in
                let message: Message =
                    switch update {
                    case .event(let event): .event(event)
                    case .away(let reason): .offline(reason.explanation)
                    }
                mailbox.post(message, messagesMax: EventFollower.messagesMax)
                return true
            }
        }
        return loop.run(
            style, messages: mailbox.descriptor,
            waitMs: { Motion.waitMs(isBusy: state.isBusy, isStill: isStill) },
            draw: { layout in
                let now = clock.now()
                let frame = Motion.frame(Int(now.timeIntervalSince1970 * 1000), isStill: isStill)
                let screen = WatchScreen(state: state, now: now, frame: frame)
                pictureRows = screen.pictureRows(layout)
                return screen.lines(layout)
            },
            handle: { input in handle(input, loop) })
    }

    /// Handles an input of the screen.
    ///
    /// - Returns: `nil` to continue. Otherwise, the signal that ends the screen, or an inner `nil` if the
    ///   person quits.
    private func handle(_ input: ScreenLoop.Input, _ loop: ScreenLoop) -> Int32?? {
        switch input {
        case .time: requestUploads()
        case .closed, .signal(SIGINT): return .some(nil)
        case .signal(let signal): return signal
        case .messages:
            for message in mailbox.takeAll() { handle(message, loop) }
            if state.model.consumeNewAlarm(), ringsBell { loop.ring() }
            requestUploads()
        case .key(let key):
            for action in state.press(key, now: clock.now()) {
                if action == .quit { return .some(nil) }
                switch action {
                case .redraw: loop.redraw()
                case .startLiveView(let camera): startLiveView(of: camera)
                case .stopLiveView: stopLiveView(loop)
                default: perform(action)
                }
            }
        }
        return nil
    }

    private func handle(_ message: Message, _ loop: ScreenLoop) {
        switch message {
        case .live(let feed, let report): if feed === self.feed { handle(report, of: feed, loop) }
        case .event(let event): if state.model.apply(event) { requestNewest() }
        case .offline(let explanation): state.model.offline = explanation
        case .newest(let page, let jobs):
            state.model.addNewest(page.captures, jobs, nextCursor: page.nextCursor)
        case .newestFailed(let explanation): state.model.listFailure = explanation
        case .uploads(let jobs): state.model.addUploads(jobs)
        case .older(let page, let cursor): state.model.shots.addOlder(page, requestedWith: cursor)
        case .olderFailed(let explanation, let cursor):
            state.model.shots.resetOlder(to: cursor)
            showFailure(explanation)
        case .settings(let reply): state.showSettings(reply)
        case .settingsFailed(let explanation):
            state.closeSettings()
            showFailure(explanation)
        case .done(let sentence):
            state.showNotice(BannerView(.success, "Done", sentence), now: clock.now())
        case .failed(let explanation): showFailure(explanation)
        }
    }

    private func showFailure(_ failure: Explanation) {
        state.showNotice(
            BannerView(
                .warning, "Failed", ConnectScreen.sentence(failure.message), nextStep: failure.nextStep),
            now: clock.now())
    }

    // MARK: Live view

    private func startLiveView(of camera: CameraID) {
        pictures = pictures ?? PictureProbe.queryTerminal().pictures
        guard pictures != nil else {
            state.closeLiveView()
            return showFailure(LiveScreen.Failure.noPictures.explanation)
        }
        let mailbox = mailbox
        feed = LiveFeed.start(
            client, CameraReference(camera), fitting: LiveScreen.box(rows: pictureRows.count)
        ) { mailbox.post(.live($0, $1)) }
    }

    private func handle(_ report: LiveFeed.Report, of feed: LiveFeed, _ loop: ScreenLoop) {
        switch report {
        case .frame(let pixels):
            if let pictures { loop.draw(pixels, pictures, row: pictureRows.lowerBound, column: 0) }
            state.markFrameShown()
            feed.requestNext(fitting: LiveScreen.box(rows: pictureRows.count))
        case .ended(let failure):
            stopLiveView(loop)
            state.closeLiveView()
            if let failure { showFailure(failure) }
        }
    }

    private func stopLiveView(_ loop: ScreenLoop) {
        feed?.stop()
        feed = nil
        if let pictures { loop.erase(pictures) }
    }

    // MARK: Calls

    private func requestNewest() {
        call { client throws(ClientError) in
            do throws(ClientError) {
                let captures = try client.call(\.captures.list, .init(limit: Self.shotsOfPage)).value
                let jobs = try client.call(\.uploads.list, .init(limit: UploadsQuery.limitMax)).value.jobs
                return .newest(captures, jobs)
            } catch {
                return .newestFailed(error.explanation)
            }
        }
    }

    /// Requests the uploads of new photos, at most once in ``requestInterval``.
    private func requestUploads() {
        let now = clock.uptime()
        guard state.model.lacksUploads, state.model.offline == nil,
            requestedAt.map({ now - $0 >= Self.requestInterval }) ?? true
        else { return }
        requestedAt = now
        state.model.lacksUploads = false
        call { client throws(ClientError) in
            let page = try client.call(
                \.uploads.list, .init(limit: Self.uploadsRequested, states: [.held, .queued, .retrying]))
            return .uploads(page.value.jobs)
        }
    }

    private func perform(_ action: WatchState.Action) {
        switch action {
        case .shoot(let camera):
            call { client throws(ClientError) in
                let reply = try client.trigger(camera: camera.map(CameraReference.init)).value
                if let refusal = reply.refused.first, reply.triggered.isEmpty {
                    return .failed(
                        Explanation(
                            status: .failed, code: .cameraFailed,
                            message: "\(refusal.camera): \(refusal.message)"))
                }
                return .done("Released: \(reply.triggered.joined(separator: ", ")).")
            }
        case .pause(let name?, let isPaused):
            call { client throws(ClientError) in
                _ = try client.pauseDestination(name, isPaused)
                return .done(isPaused ? "\(name) is paused." : "\(name) is resumed.")
            }
        case .pause(nil, let isPaused):
            call { client throws(ClientError) in
                _ = try client.pauseUploads(isPaused)
                return .done(isPaused ? "All uploads are paused." : "All uploads are resumed.")
            }
        case .retry(let uploads):
            call { client throws(ClientError) in
                let changed = try client.call(\.uploads.retry, uploads.selection()).value.changed
                return .done("\(UploadWords.uploads(changed))\(uploads.words) queued again.")
            }
        case .drop(let uploads):
            call { client throws(ClientError) in
                let changed = try client.call(\.uploads.drop, uploads.selection(.failed)).value.changed
                return .done("\(UploadWords.uploads(changed))\(uploads.words) dropped.")
            }
        case .setMode(let mode):
            call { client throws(ClientError) in
                .done(try client.call(\.uploads.setMode, .init(mode: mode)).value.sentence)
            }
        case .requestSettings(let camera):
            call { client throws(ClientError) in
                do throws(ClientError) {
                    return .settings(
                        try client.call(\.cameras.settings, CameraReference(camera), .init()).value)
                } catch { return .settingsFailed(error.explanation) }
            }
        case .set(let camera, let key, let value):
            call { client throws(ClientError) in
                let request = SettingsChangeRequest(changes: [key: value])
                let reply = try client.call(\.cameras.changeSettings, CameraReference(camera), request).value
                let sentences = reply.results.map(SettingTexts.sentence).joined(separator: "; ")
                guard reply.results.allSatisfy(\.isDone) else {
                    return .failed(
                        Explanation(
                            status: .failed, code: .cameraFailed,
                            message: "\(reply.camera.name): \(sentences)"))
                }
                return .done("\(reply.camera.name): \(sentences).")
            }
        case .requestOlder(let cursor):
            call { client throws(ClientError) in
                do throws(ClientError) {
                    let query = CapturesQuery(limit: Self.shotsOfPage, cursor: cursor)
                    return .older(try client.call(\.captures.list, query).value, cursor: cursor)
                } catch {
                    return .olderFailed(error.explanation, cursor: cursor)
                }
            }
        case .requestNewest:
            state.model.listFailure = nil
            requestNewest()
        case .redraw, .quit, .startLiveView, .stopLiveView: break
        }
    }

    /// Makes a call on a separate thread, because a slow daemon must not block the keys.
    private func call(_ body: @escaping @Sendable (FrameFastClient) throws(ClientError) -> Message) {
        let (client, mailbox) = (client, mailbox)
        PlainThread.startOrExit("call") {
            do throws(ClientError) { mailbox.post(try body(client)) } catch {
                mailbox.post(.failed(error.explanation))
            }
        }
    }
}
