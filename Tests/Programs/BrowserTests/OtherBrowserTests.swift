import TestRig
import Testing

/// Tests of the page in Chromium, with browser functions replaced to behave as in Safari, Firefox or older
/// browsers. Also tests hidden pages.
@Suite(
    .serialized, .programs(4), .enabled(if: Browser.isInstalled, "needs chromium (scripts/prepare --tests)"))
struct OtherBrowserTests {
    /// Opens a sample, and records each request in `window.requests`. An aborted request adds `abort` and its
    /// path.
    private static func open(_ sample: String) async throws -> PageGallery {
        let gallery = try await PageGallery(.desk)
        try await gallery.open(sample)
        try gallery.browser.run(
            """
            const { fetch } = window;
            window.requests = [];
            window.fetch = (path, options) => {
              window.requests.push(path);
              options.signal?.addEventListener("abort", () => window.requests.push(`abort ${path}`));
              return fetch(path, options);
            };
            """)
        return gallery
    }

    @Test func `a closed photo stays closed after the browser refuses changes of the address`() async throws {
        let gallery = try await Self.open("viewer")
        let browser = gallery.browser
        try browser.run(
            """
            window.changes = 0;
            history.replaceState = () => {
              window.changes++;
              throw new DOMException("too many changes", "SecurityError");
            };
            """)
        try browser.press(.right)
        try await browser.wait(
            for: "the next photo",
            "document.querySelector('.viewer[open] h2').innerText === 'Photo 29 of 48'")
        try browser.press(.escape)
        try await browser.wait(
            for: "the tile of the last photo",
            """
            !document.querySelector('.viewer[open]')
              && document.activeElement.ariaLabel?.startsWith('Photo 29')
            """)
        // A new photo redraws the list.
        try browser.run(
            "const { arrive, shot } = await import('./service.js'); arrive(shot(49));")
        try await browser.wait(
            for: "the new photo", "document.querySelector('#bar .number').innerText === '49 photos'")
        let isOpen = try browser.script(
            "return document.querySelector('.viewer[open]') !== null", as: Bool.self)
        #expect(!isOpen)
        #expect(try browser.script("return window.changes", as: Int.self) >= 2)
    }

    @Test func `sends requests without AbortSignal.timeout`() async throws {
        let gallery = try await Self.open("photos, focused tile")
        let browser = gallery.browser
        try browser.run("AbortSignal.timeout = undefined")
        try browser.type("4")
        try await browser.wait(
            for: "the rating", "window.requests.some((path) => path.endsWith('/rating'))")
        try await browser.wait(
            for: "the rated tile", "document.activeElement.ariaLabel.includes('4 stars')")
        #expect(try browser.script("return document.querySelector('#banner').hidden", as: Bool.self))
    }

    /// Chrome delays a response with `Clear-Site-Data` until it has cleared its cache.
    @Test(arguments: [("pairing, refused code", "Open the photos"), ("dialog, help", "Log out")])
    func `pairing and logging out wait a minute for the response`(
        sample: String, button: String
    ) async throws {
        let browser = try await Self.open(sample).browser
        try browser.run(
            """
            const { timeout } = AbortSignal;
            AbortSignal.timeout = (ms) => { window.limit = ms; return timeout.call(AbortSignal, ms); };
            [...document.querySelectorAll("button")].find((one) => one.innerText === arguments[0]).click();
            """, [button])
        try await browser.wait(for: "the request", "window.limit === 60000")
    }

    /// In Safari 15, the check of the service has no time limit, and a dead connection does not end it.
    @Test(arguments: [true, false])
    func `replaces a silent event stream, whether or not the check gets a response`(
        hasResponse: Bool
    ) async throws {
        let gallery = try await Self.open("photos")
        let browser = gallery.browser
        // The test decides when the time without data is over.
        try browser.run(
            """
            const { setTimeout } = window, { endStreams } = await import("./service.js");
            window.setTimeout = (action, ms) => {
              if (ms !== 10000) return setTimeout(action, ms);
              window.endSilence = action;
              return setTimeout(() => {});
            };
            endStreams();
            const { fetch } = window;
            window.fetch = (path, options) => {
              const reply = fetch(path, options);
              return path === "/v1/web/me" && arguments[0] === "false" ? new Promise(() => {}) : reply;
            };
            """, ["\(hasResponse)"])
        try await browser.wait(
            for: "the next stream",
            """
            window.requests.includes('/v1/events') && document.querySelector('#bar .badge').innerText === 'Live'
            """)
        try browser.run("window.first = window.endSilence; window.first();")
        try await browser.wait(
            for: "the check of the service",
            "window.requests.includes('/v1/web/me') && window.endSilence !== window.first")
        #expect(
            try browser.script("return !window.requests.includes('abort /v1/events')", as: Bool.self))
        try browser.run("window.endSilence()")
        try await browser.wait(for: "the end of the stream", "window.requests.includes('abort /v1/events')")
    }

    /// If a server's certificate is unknown, Chrome keeps a loaded picture only while an element holds it.
    @Test func `keeps the element with the picture of the next photo`() async throws {
        let browser = try await Self.open("viewer").browser
        try browser.run(
            """
            const { createElement } = document;
            window.nodes = [];
            document.createElement = (name) => {
              const node = createElement.call(document, name);
              window.nodes.push(new WeakRef(node));
              return node;
            };
            """)
        try browser.press(.right)
        let isKept = """
            window.nodes.map((node) => node.deref())
              .some((node) => node?.complete && node.src.includes('/v1/shots/28/screen'))
            """
        try await browser.wait(for: "the picture of photo 28", isKept)
        try browser.command("HeapProfiler.collectGarbage")
        #expect(try browser.script("return \(isKept)", as: Bool.self))
    }

    /// A mobile browser may end a hidden page without any other event.
    @Test func `stores the seen photos when the page is hidden`() async throws {
        let browser = try await Self.open("viewer").browser
        try browser.run(
            """
            Object.defineProperty(document, "hidden", { value: true });
            document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
            """)
        let seen = try browser.script("return localStorage.getItem('framefast.seen') ?? ''", as: String.self)
        #expect(seen == "[30]")
    }

    @Test func `a page that is hidden for 30 s stops its live view`() async throws {
        let browser = try await Self.open("status, control").browser
        // One script, because the gallery has no live view, and the page removes a picture that fails.
        let isLoading = try browser.script(
            """
            const { setTimeout } = window;
            window.setTimeout = (action, ms) => {
              // The page draws the status after 250 ms.
              if (ms === 250) return void action();
              if (ms !== 30000) return setTimeout(action, ms);
              window.endVisit = action;
            };
            const buttons = [...document.querySelectorAll("button")];
            buttons.find((button) => button.innerText === "Live view").click();
            const view = document.querySelector(".liveview");
            const isLoading = [view.hasAttribute("src")];
            Object.defineProperty(document, "hidden", { value: true });
            document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
            window.endVisit();
            return [...isLoading, view.hasAttribute("src")];
            """, as: [Bool].self)
        #expect(isLoading == [true, false])
    }

    /// Safari hides the role of a list without bullets, unless the list names its role.
    @Test func `the contact sheet names its role for VoiceOver`() async throws {
        let browser = try await Self.open("photos").browser
        let role = try browser.script("return document.querySelector('.grid').role ?? ''", as: String.self)
        #expect(role == "list")
    }
}
