import TestRig
import Testing

/// Attacks by another page in the same browser.
extension AttackRig {
    /// Opens streams in another window. The service allows three streams for each device, so three streams of
    /// another page would end the page's own stream.
    func openStreamsFromOtherPage() async throws {
        // A page behind another window would count as hidden.
        try browser.command("Emulation.setFocusEmulationEnabled", ["enabled": true])
        try browser.run(
            """
            const bar = document.querySelector("#bar"), text = () => bar.querySelector(".badge").innerText;
            window.linkTexts = [];
            new MutationObserver(() => { if (text() !== "Live") window.linkTexts.push(text()); })
              .observe(bar, { subtree: true, childList: true });
            """)
        try browser.openWindow()
        for host in Self.otherHosts {
            try browser.open(other.url(at: host))
            let results = try browser.script(
                """
                const [base] = arguments;
                const attempt = (stream) => new Promise((resolve) => {
                  stream.onopen = stream.onmessage = () => resolve("open");
                  stream.onerror = () => { stream.close(); resolve("refused"); };
                });
                const results = [];
                for (let i = 0; i < 3; i++) results.push(
                  await attempt(new EventSource(`${base}/v1/events`, { withCredentials: true })),
                  await attempt(new WebSocket(`${base.replace("http", "ws")}/v1/events`)),
                );
                return results;
                """, [page.url], as: [String].self)
            #expect(results == Array(repeating: "refused", count: 6), "\(host)")
        }
        try browser.useWindow(0)
        try await shoot()
        try await browser.waitForTiles(tiles)
        #expect(try browser.script("return window.linkTexts", as: [String].self) == [])
    }

    func sendRequestsFromOtherPage() throws {
        for host in Self.otherHosts {
            try browser.open(other.url(at: host))
            // Sends one request after the other, because the service limits the connections of an address.
            let results = try browser.script(
                """
                const [base, shot, stars] = arguments;
                const send = (method, path, mode, body) => fetch(base + path, { method, mode, credentials: "include", body })
                  .then((reply) => reply.type, () => "refused");
                const load = (name, properties) => new Promise((resolve) => {
                  const node = document.createElement(name);
                  Object.assign(node, { onload: () => resolve("loaded"), onerror: () => resolve("refused") }, properties);
                  document.head.append(node);
                });
                return [
                  await send("POST", `/v1/shots/${shot}/rating`, "no-cors", JSON.stringify({ stars })),
                  await send("POST", "/v1/web/done", "no-cors", "{}"),
                  await send("DELETE", "/v1/web/session", "cors"),
                  await send("GET", "/v1/shots", "no-cors"),
                  await send("GET", "/v1/shots", "cors"),
                  await load("script", { src: `${base}/v1/shots` }),
                  await load("link", { rel: "stylesheet", href: `${base}/v1/shots` }),
                  await import(`${base}/v1/shots`).then(() => "loaded", () => "refused"),
                ];
                """, [page.url, "\(shot)", Self.stars], as: [String].self)
            #expect(results == Array(repeating: "refused", count: 8), "\(host)")
        }
    }

    /// Sends JSON with a form. A form needs no permission of the other origin. The name and the value of the
    /// field become `NAME=VALUE`.
    func sendFormFromOtherPage() async throws {
        for host in Self.otherHosts {
            try browser.open(other.url(at: host))
            try browser.run(
                """
                const [action, stars] = arguments, form = document.createElement("form"), field = document.createElement("input");
                Object.assign(form, { action, method: "post", enctype: "text/plain" });
                Object.assign(field, { name: `{"stars":${stars},"comment":"`, value: `"}` });
                form.append(field);
                document.body.append(form);
                form.submit();
                """, ["\(page.url)/v1/shots/\(shot)/rating", Self.stars])
            try await browser.wait(
                for: "the refusal of the form from \(host)",
                "document.body.innerText.includes('the request comes from another page')")
        }
    }

    func embedPageInOtherPage() async throws {
        for host in Self.otherHosts {
            try browser.open(other.url(at: host))
            _ = try browser.messages()
            try browser.run(
                """
                const frame = document.createElement("iframe");
                frame.src = arguments[0];
                document.body.append(frame);
                """, [page.url + "/"])
            try await eventually("the refusal of the frame in \(host)") { () -> Void? in
                try browser.messages().contains { $0.contains("frame-ancestors") } ? () : nil
            }
        }
    }
}
