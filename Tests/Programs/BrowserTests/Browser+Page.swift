import TestRig

/// A reply to a request of the page.
struct PageReply: Decodable {
    var status: Int
    var body: String
}

extension Browser {
    /// Waits until the page receives events.
    func waitUntilLive() async throws {
        try await wait(
            for: "the page to be live", "document.querySelector('#bar .badge').innerText === 'Live'")
    }

    /// Waits until the list has this many tiles.
    func waitForTiles(_ count: Int) async throws {
        try await wait(
            for: "\(count) tiles", "document.querySelectorAll('.grid li').length === arguments[0]", [count])
    }

    /// Waits until the field for the person's name has the focus.
    func waitForNameField() async throws {
        try await wait(
            for: "the form for a name", "document.activeElement.autocomplete === 'nickname'")
    }

    /// Records each text of the banner from now on, because the page removes some messages after seconds.
    func recordBanner() throws {
        try run(
            """
            const banner = document.querySelector("#banner");
            window.bannerTexts = [];
            new MutationObserver(() => window.bannerTexts.push(banner.innerText))
              .observe(banner, { subtree: true, childList: true });
            """)
    }

    /// Waits until the banner has shown a text since the call of ``recordBanner()``. The text may have
    /// disappeared.
    func waitForBanner(_ text: String) async throws {
        try await wait(
            for: "the message '\(text)'",
            "window.bannerTexts.some((shown) => shown.includes(arguments[0]))", [text])
    }

    /// Sends a request with the cookie of the page's device.
    func request(_ method: String, _ path: String, body: String = "{}") throws -> PageReply {
        try script(
            """
            const [method, path, body] = arguments;
            const content = { headers: { "Content-Type": "application/json" }, body };
            const response = await fetch(path, { method, cache: "no-store", ...(method === "GET" ? {} : content) });
            return { status: response.status, body: await response.text() };
            """, [method, path, body], as: PageReply.self)
    }

    /// An element that would run a script if a page parsed it as HTML.
    static let foreignImage = "<img src=x onerror='window.isHacked=1'>"
    /// A text with two elements that would run a script.
    static let foreignContent = foreignImage + "<script>window.isHacked=1</script>"

    /// Returns whether the page has parsed ``foreignContent`` as HTML.
    func hasForeignContent() throws -> Bool {
        try script(
            """
            return window.isHacked !== undefined
              || document.querySelector('[onerror], body script, img[src="x"]') !== null
            """, as: Bool.self)
    }

    /// Returns the violations of accessibility rules in light colors, and of the contrast rule in dark
    /// colors.
    func violationsInBothSchemes() throws -> [String] {
        let light = try violations()
        try setMedia(["prefers-color-scheme": "dark"])
        let dark = try violations(of: ["color-contrast"])
        try setMedia(["prefers-color-scheme": "light"])
        return light + dark.map { "dark: \($0)" }
    }
}
