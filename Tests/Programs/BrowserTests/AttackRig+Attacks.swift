import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

extension AttackRig {
    /// Performs an attack, and checks the answers of the service and the browser.
    func perform(_ attack: PageAttack) async throws {
        switch attack {
        case .otherPageStreams: try await openStreamsFromOtherPage()
        case .otherPageRequests: try sendRequestsFromOtherPage()
        case .otherPageForm: try await sendFormFromOtherPage()
        case .frame: try await embedPageInOtherPage()
        case .otherSession: try requestOtherSession()
        case .ownerRoutes: try requestOwnerRoutes()
        case .pathsOutside: try requestPathsOutside()
        case .usedCode: try await useCodeTwice()
        case .guessedCodes: try await guessCodes()
        case .largeHeaders: try sendLargeHeaders()
        case .scriptsInTexts: try await showScripts()
        case .hostilePictures: try await showHostilePictures()
        case .manyConnections: try await openConnections()
        }
    }

    // MARK: A paired device

    func requestOtherSession() throws {
        for form in ["", "/512", "/screen", "/full", "/histogram"] {
            let path = "/v1/shots/\(earlierShot)\(form)"
            let reply = try browser.request("GET", path)
            #expect([403, 404].contains(reply.status), "\(path): \(reply.status) \(reply.body)")
        }
        let list = try browser.request("GET", "/v1/shots?session=\(earlierSession)")
        #expect(list.status == 403, "\(list.body)")
        let own = try WireCoder.decode(
            ShotsReply.self, from: Data(try browser.request("GET", "/v1/shots").body.utf8))
        #expect(own.ids == [shot])
        try browser.open("\(page.url)/v1/shots/\(earlierShot)/screen")
        #expect(try browser.script("return document.images.length", as: Int.self) == 0)
    }

    /// The endpoints that a client may use.
    private static let clientEndpoints: Set<String> = [
        "serviceEvents", "shotsList", "shotsGet", "shotsThumbnail", "shotsScreen", "shotsHistogram",
        "shotsRate",
    ]

    func requestOwnerRoutes() throws {
        let rows = Endpoints.rows.filter { !Self.clientEndpoints.contains($0.name) }
        #expect(rows.count == Endpoints.rows.count - Self.clientEndpoints.count)
        for row in rows {
            let path = row.path.replacing(/\{\w+\}/, with: "1")
            let reply = try browser.request(row.method.rawValue, path)
            #expect(reply.status == 403, "\(row.method.rawValue) \(path): \(reply.body)")
        }
    }

    func requestPathsOutside() throws {
        // The browser resolves the dots of the first three paths. The service receives the others unchanged.
        let paths = [
            "/../../etc/passwd", "/assets/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
            "/assets/..%2f..%2f..%2fetc%2fpasswd", "/assets/..%5c..%5cetc%5cpasswd",
            "/v1/shots/..%2f..%2fetc%2fpasswd", "/v1/shots/\(shot)/..%2f..%2f..%2fetc%2fpasswd",
            "/v1/shots/%00",
        ]
        for path in paths {
            let reply = try browser.request("GET", path)
            #expect(reply.status == 404 && !reply.body.contains("root:"), "\(path): \(reply.body)")
        }
    }

    func sendLargeHeaders() throws {
        let statuses = try browser.script(
            """
            const statuses = [];
            for (const length of [100, 20000, 100]) {
              const headers = { "X-Large": "x".repeat(length) };
              statuses.push(await fetch("/v1/web/me", { headers, cache: "no-store" }).then(({ status }) => status, () => 0));
            }
            return statuses;
            """, as: [Int].self)
        // The service closes the connection after the reply, so the reply may be lost.
        #expect(statuses == [200, 431, 200] || statuses == [200, 0, 200], "\(statuses)")
    }

    // MARK: Codes

    /// Sends a code with the page's own request.
    private func send(code: String) throws -> PageReply {
        try browser.request("POST", "/v1/web/session", body: #"{"code":"\#(code)","name":"Eve"}"#)
    }

    func useCodeTwice() async throws {
        let code = try await page.openCode(.owner).code
        #expect(try send(code: code).status == 201)
        // The service ignores case and hyphens, and recognizes the used code in each form.
        for text in [code, code.lowercased(), code.replacing("-", with: "")] {
            let reply = try send(code: text)
            #expect(reply.status == 403, "\(reply.body)")
        }
    }

    func guessCodes() async throws {
        let code = try await page.openCode(.owner)
        for _ in 0..<Self.guessesMax { #expect(try send(code: "AAAA-AAAA").status == 403) }
        #expect(try send(code: "AAAA-AAAA").status == 429)
        // After too many wrong codes, the service also refuses the right code for a while.
        try await page.enterCode(in: browser, code.url)
        try await browser.wait(
            for: "the message that the device must wait",
            "document.querySelector('.problem').innerText.includes('too many codes were wrong')")
    }

    /// The number of wrong codes from one address that the service answers in a minute.
    private static let guessesMax = 5
}
