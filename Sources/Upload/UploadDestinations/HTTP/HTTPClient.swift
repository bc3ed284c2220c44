import Foundation
import FrameFastSystem
import TextForms
import UploadEngine

/// A client for one HTTP server, with the destination's credentials and limits.
struct HTTPClient: Sendable {
    let transport: CurlTransport
    let connection: ConnectionSettings
    let credentials: HTTPCredentials
    let budget: SendBudget
    /// The clock for the pauses before repeated requests.
    let clock: HostClock
    /// The server's scheme, host and port, for messages. The text excludes the path and query, because they
    /// may contain keys.
    let place: String

    init(
        url: String, connection: ConnectionSettings, credentials: HTTPCredentials = .none,
        transport: CurlTransport = .shared, clock: HostClock = .system
    ) {
        self.transport = transport
        self.clock = clock
        self.connection = connection
        self.credentials = credentials
        budget = SendBudget(bytesPerSecond: connection.bytesPerSecond)
        place = Self.place(of: url)
    }

    /// Returns the scheme, host and port of a URL, for messages.
    static func place(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return "the server" }
        let user = ClearTextSecrets.userInfo(inAddress: url).map { $0.count + 1 } ?? 0
        let host = parts[2].dropFirst(user).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return "\(parts[0])//\(host)"
    }

    /// Throws a failure for a URL that is not an http or https URL, or that contains a user or password.
    static func check(_ url: String) throws(UploadFailure) {
        let scheme = url.lowercased()
        let host = Self.place(of: url).split(separator: "/").last ?? ""
        guard scheme.hasPrefix("http://") || scheme.hasPrefix("https://"), !host.isEmpty else {
            throw UploadFailure(
                .permanent(.misconfigured), "The destination's address is not an http or https URL.",
                nextStep: "Correct the destination's url setting.")
        }
        guard ClearTextSecrets.userInfo(inAddress: url) == nil else {
            throw UploadFailure(
                .permanent(.misconfigured),
                "The destination's address contains a user or password: \(ClearTextSecrets.userAdvice).",
                nextStep: "Use the settings for user and password instead.")
        }
    }

    var isEncrypted: Bool { place.lowercased().hasPrefix("https:") && !connection.insecure }

    /// The first pause before the repetition of a request for a file that the server is still processing, in
    /// seconds. Each further pause is twice as long as the previous one.
    private static let processingPauseMin = 0.25
    /// The longest pause before such a repetition, in seconds. The sum of all pauses is 15.75 s.
    private static let processingPauseMax = 8.0

    /// Performs one request. Returns responses with any status. If the server or a proxy refuses
    /// `Expect: 100-continue` (status 417), sends the request again without this header. ownCloud Infinite
    /// Scale and OpenCloud process a new file after their response to the PUT, and refuse other requests for
    /// the file until then (status 425). Repeats such a request several times.
    func send(
        _ method: String, _ url: String, headers: [HTTPHeader] = [], body: UploadBody? = nil,
        sink: CurlRequest.Sink = .kept(bytesMax: 1 << 20), progress: (@Sendable (UInt64) -> Void)? = nil
    ) async throws(UploadFailure) -> CurlResponse {
        var request = self.request(method, url)
        request.headers = headers
        request.body = body
        request.sink = sink
        request.progress = progress
        var response = try await perform(request, method)
        if response.status == 417, body != nil {
            request.mayAskFirst = false
            response = try await perform(request, method)
        }
        var pause = Self.processingPauseMin
        while response.status == 425, body == nil, pause <= Self.processingPauseMax {
            do { try await clock.sleep(pause) } catch { throw UploadFailure.stopped }
            response = try await perform(request, method)
            pause *= 2
        }
        return response
    }

    private func perform(
        _ request: CurlRequest, _ method: String
    ) async throws(UploadFailure) -> CurlResponse {
        do {
            return try await transport.perform(request)
        } catch {
            throw failure(error, method, request.url)
        }
    }

    private func request(_ method: String, _ url: String) -> CurlRequest {
        var request = CurlRequest(action: .http(method: method), url: url)
        request.credentials = credentials
        request.connection = connection
        request.budget = budget
        return request
    }

    private func failure(_ error: TransportFailure, _ method: String, _ url: String) -> UploadFailure {
        error.uploadFailure(place: place, at: Self.step(of: method), name: Self.name(of: url))
    }

    /// Returns whether the copy at a URL has the photo's bytes. The function reads the copy back.
    func hasPhoto(_ item: UploadItem, at url: String) async throws(UploadFailure) -> Bool {
        try await readBack(url).isPhoto(item)
    }

    /// Returns the failure for a refused step.
    func refusal(_ response: CurlResponse, at step: UploadStep, _ url: String) -> UploadFailure {
        response.refusal(place: place, at: step, name: Self.name(of: url))
    }

    /// Returns the upload step of an HTTP method.
    private static func step(of method: String) -> UploadStep {
        switch method {
        case "MOVE": .rename
        case "GET": .readBack
        case "HEAD", "PROPFIND", "OPTIONS": .look
        case "MKCOL": .makeFolder
        case "DELETE": .remove
        default: .send
        }
    }

    /// Returns the decoded last component of a URL. Ignores the query, because it may contain keys.
    static func name(of url: String) -> String? {
        let path = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        return path.split(separator: "/").last.flatMap { PercentCoding.decode($0) }
    }

    /// A header that requests the server's copy instead of a cached copy.
    static let uncached = HTTPHeader("Cache-Control", "no-cache")

    /// Reads the file at a URL back, and hashes it.
    func readBack(_ url: String) async throws(UploadFailure) -> CurlResponse {
        let response = try await send("GET", url, headers: [Self.uncached], sink: .hashed)
        guard response.status == 200 else { throw refusal(response, at: .readBack, url) }
        return response
    }

    /// Checks whether the server is reachable. Throws a failure for a server error or status 401. Every other
    /// response is a success.
    ///
    /// - Parameter methods: The methods to try, in order. The function tries the next method if the server
    ///   closes the connection without a response. Such a server may still accept uploads.
    func probe(_ url: String, methods: [String] = ["HEAD", "OPTIONS"]) async throws(UploadFailure) {
        var ended: UploadFailure?
        for method in methods {
            let response: CurlResponse
            do throws(TransportFailure) { response = try await transport.perform(request(method, url)) } catch
            {
                ended = failure(error, method, url)
                if error.isEndOfConnection { continue }
                break
            }
            guard !response.isServerError, response.status != 401 else {
                throw response.refusal(place: place, at: .look)
            }
            return
        }
        if let ended { throw ended }
    }
}
