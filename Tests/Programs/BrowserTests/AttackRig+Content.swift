import APIClient
import Foundation
import FrameFastAPI
import TestRig
import Testing

/// Attacks with untrusted texts, hostile pictures and many connections.
extension AttackRig {
    func showScripts() async throws {
        // In names of files, the service replaces the angle brackets.
        try page.camera.command("name \(Browser.foreignImage).jpg")
        let named = try await shoot()
        for id in [shot, named] {
            let rating = RatingRequest(stars: 4, pick: true, comment: Browser.foreignContent)
            _ = try page.rig.client.call(\.shots.rate, id, rating)
        }
        // Each row has a place, the button to press there, and the element that shows the text. The texts are
        // the title, the menu of sessions, the names of picked files, a comment, the names of files, and the
        // camera's model.
        let views: [(place: String, button: String?, element: String)] = [
            ("#/", nil, "h1"), ("#/", "Filter", "select[name=session]"),
            ("#/", "Copy picks", "dialog textarea"), ("#/shot/\(named)", "Details", ".panel .text"),
            ("#/shot/\(named)", nil, ".viewer .caption"), ("#/follow", "Names", ".follow .caption"),
            ("#/status", nil, ".page .card .caption"),
        ]
        for (place, button, element) in views {
            try browser.open(page.url + "/" + place)
            try await browser.waitUntilLive()
            if place == "#/" { try await browser.waitForTiles(tiles) }
            if button == "Copy picks" { try await press("Filter") }
            if let button { try await press(button) }
            try await browser.wait(
                for: "the text in \(element) of \(place)",
                """
                [...document.querySelectorAll(arguments[0])]
                  .some((node) => `${node.value}${node.textContent}`.includes('onerror'))
                """, [element])
            #expect(try browser.hasForeignContent() == false, "\(place), \(element)")
        }
    }

    /// Waits for a button that starts with a word, and presses the button.
    private func press(_ word: String) async throws {
        let button = """
            [...document.querySelectorAll('button')].find((button) => button.innerText.startsWith(arguments[0]))
            """
        try await browser.wait(for: "the button \(word)", "\(button).checkVisibility()", [word])
        try browser.run("\(button).click()", [word])
    }

    func showHostilePictures() async throws {
        let defects = ["huge", "lossless"]
        var hostile = shot
        try browser.run("location.hash = '#/follow'")
        try await browser.wait(for: "the last photo", "document.querySelector('.follow .stage img')")
        for defect in defects {
            try page.camera.command("pictures real,480x320,no-thumbnail,broken=\(defect)")
            hostile = try await shoot()
        }
        try await browser.wait(
            for: "the last photo without a picture",
            "document.querySelector('.follow .lead').innerText === 'No preview for this file.'")
        try browser.run("location.hash = '#/'")
        try await browser.wait(
            for: "the tiles without a picture",
            """
            [...document.querySelectorAll('.grid .photo')]
              .filter((box) => box.dataset.text === 'No preview').length === arguments[0]
            """, [defects.count])
        try browser.run("location.hash = arguments[0]", ["#/shot/\(hostile)"])
        try await browser.wait(
            for: "the viewer without a picture",
            "document.querySelector('.viewer[open] .lead').innerText === 'No preview for this file.'")
        // The picture worker still makes the picture of the next photo.
        try page.camera.command("pictures real,480x320")
        let next = try await shoot()
        try await browser.waitForTiles(tiles)
        try browser.run("location.hash = arguments[0]", ["#/shot/\(next)"])
        try await browser.wait(
            for: "the next picture in the viewer", "document.querySelector('.viewer[open] .stage img')")
    }

    // MARK: Connections

    /// A Python program that opens connections from another address, and sends the start of a request on
    /// each. When at most `kept` connections remain open, the program prints a line and keeps these
    /// connections open.
    private static let connections = """
        import select, socket, sys, time
        port, count, kept = map(int, sys.argv[1:])
        held = []
        for _ in range(count):
            one = socket.socket()
            one.bind(("127.0.0.2", 0))
            one.connect(("127.0.0.1", port))
            held.append(one)
            try:
                one.sendall(b"GET / HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n")
            except OSError:
                pass
        while len(held) > kept:
            for one in select.select(held, [], [])[0]:
                try:
                    one.recv(4096)
                except OSError:
                    pass
                held.remove(one)
                one.close()
        print("kept at most", kept, flush=True)
        time.sleep(3600)
        """

    func openConnections() async throws {
        // The service accepts this number of connections from one address.
        let kept = 128
        let program = try RunningProgram(
            URL(filePath: "/usr/bin/python3"), ["-c", Self.connections, "\(page.port)", "300", "\(kept)"],
            log: page.folder.url.appending(path: "connections.log"))
        attackers.append(program)
        try await eventually("the service to close connections: \(program.output)") { () -> Void? in
            guard program.isRunning else { throw WaitTimeout(description: program.output) }
            return program.output.contains("kept at most \(kept)\n") ? () : nil
        }
    }
}
