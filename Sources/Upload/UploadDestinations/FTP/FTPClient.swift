import ChildProcesses
import FrameFastSystem
import Synchronization
import TextForms
import UploadEngine

/// A client of one FTP server, with its own thread and connections.
final class FTPClient: Sendable {
    let settings: FTPSettings
    let place: String
    /// Whether requests with names that are not ASCII start with `OPTS UTF8 ON`. Without this command, IIS
    /// (dbi #162) and pure-ftpd (mc #3595) read the names in another encoding.
    let turnsOnUTF8 = Atomic(false)
    private let transport = CurlTransport(label: "framefast.ftp")
    private let turns: AsyncSemaphore
    private let budget: SendBudget
    private let base: String

    init(_ settings: FTPSettings) {
        self.settings = settings
        turns = AsyncSemaphore(permits: settings.connections)
        budget = SendBudget(bytesPerSecond: settings.connection.bytesPerSecond)
        let scheme = settings.encryption == .implicit ? "ftps" : "ftp"
        // A later check refuses a host that contains a password. Messages before that check must not show the
        // password.
        let name = ClearTextSecrets.withoutUser(settings.host)
        let host = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
        place = "\(scheme)://\(host)" + (settings.port.map { ":\($0)" } ?? "")
        base = place
    }

    /// Returns the URL of a file, or of a folder if `file` is empty.
    func url(folder: String, file: String) -> String {
        let path = relativePath(folder)
        // The first slash of an absolute path must be encoded (RFC 1738, 3.2.2).
        let start = settings.path.hasPrefix("/") ? "/%2F" : "/"
        return base + start + (path.isEmpty ? "" : PercentCoding.encode(path, keeping: .path) + "/")
            + PercentCoding.encode(file)
    }

    /// Returns the path of a folder for FTP commands, which is absolute or relative to the login folder.
    func path(folder: String) -> String { (settings.path.hasPrefix("/") ? "/" : "") + relativePath(folder) }

    private func relativePath(_ folder: String) -> String {
        let top = settings.path.split(separator: "/").joined(separator: "/")
        return [top, folder].filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// Performs one transfer when a connection is available.
    ///
    /// - Parameters:
    ///   - silenceMax: The longest wait for a reply, or `nil` for the limit in the settings.
    ///   - onTurn: Called when a connection becomes available.
    func perform(
        _ action: CurlRequest.Action, _ url: String, body: UploadBody? = nil, after commands: [String] = [],
        sink: CurlRequest.Sink = .kept(bytesMax: 1 << 16), at step: UploadStep = .send,
        asksForSize: Bool = true, makesFolders: Bool = true, silenceMax: Duration? = nil,
        onTurn: (@Sendable () -> Void)? = nil, progress: (@Sendable (UInt64) -> Void)? = nil
    ) async throws(UploadFailure) -> CurlResponse {
        var request = CurlRequest(action: action, url: url)
        request.body = body
        request.commandsAfter = commands
        let hasOtherNames = url.contains(/%[89A-F]/) || commands.joined().utf8.contains { $0 >= 0x80 }
        if hasOtherNames, turnsOnUTF8.load(ordering: .relaxed) { request.commandsBefore = ["*OPTS UTF8 ON"] }
        request.sink = sink
        request.asksForSize = asksForSize
        request.makesFolders = makesFolders
        request.credentials = .password(user: settings.user, password: settings.password)
        request.connection = settings.connection
        request.connection.proxy = nil
        if let silenceMax {
            request.connection.stallSeconds = max(request.connection.stallSeconds, silenceMax.wholeSeconds)
        }
        request.ftpTLS = settings.encryption != .none
        request.allowsTLS13 = settings.allowsTLS13
        request.budget = budget
        request.progress = progress
        do throws(TransportFailure) {
            guard
                let response = try await turns.withPermit({ () throws(TransportFailure) -> CurlResponse in
                    onTurn?()
                    let began = HostClock.system.awakeTime()
                    let response = try await send(request)
                    // libcurl measures the wait for a reply from the connection's last command, which an
                    // earlier transfer may have sent (7.88: pingpong.c). After a long transfer, the next
                    // transfer could time out immediately.
                    if HostClock.system.awakeTime() - began >= Double(settings.connection.stallSeconds) {
                        transport.closeIdle()
                    }
                    return response
                })
            else { throw TransportFailure.cancelled }
            return response
        } catch {
            if !settings.allowsTLS13, let refusal = error.refusalOfTLS12(place: place) { throw refusal }
            throw error.uploadFailure(place: place, at: step, name: HTTPClient.name(of: url))
        }
    }

    private func send(_ request: CurlRequest) async throws(TransportFailure) -> CurlResponse {
        // Opens a new connection. On a connection that another upload used, pure-ftpd with --autorename
        // replaces a file instead of appending.
        if case .store(let mode) = request.action, mode != .whole { transport.closeIdle() }
        do throws(TransportFailure) {
            return try await transport.perform(request)
        } catch {
            // After a broken data connection, its TLS session is invalid. libcurl would continue to use this
            // session, because the control connection shares it. Servers that require session reuse (vsftpd)
            // would refuse the next connection.
            transport.closeIdle()
            throw error
        }
    }

    /// Returns the failure for a reply that refuses a command.
    func refusal(_ reply: String?, at step: UploadStep, _ name: String) -> UploadFailure {
        let words = oneLine(ServerWords.withoutSecrets(reply ?? "no reply"), max: 200)
        return TransportFailure.ftp(
            reply.flatMap { Int($0.prefix(3)) } ?? 0, place: place, words: words, denied: false, step, name)
    }

    /// Closes idle connections, after any running transfer has ended.
    func closeIdle() { transport.closeIdle() }

    /// Returns the size in a reply to SIZE, or `nil` if the server refused the command or the reply has no
    /// size.
    static func size(_ reply: String?) -> UInt64? {
        guard let reply, reply.hasPrefix("213") else { return nil }
        return UInt64(reply.dropFirst(3).split(separator: " ").last ?? "")
    }
}
