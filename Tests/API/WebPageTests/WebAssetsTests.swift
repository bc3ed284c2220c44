import DesignTokens
import Foundation
import Repository
import Testing

@testable import WebPage

@Suite struct WebAssetsTests {
    private static func text(_ name: String) throws -> String {
        String(decoding: try #require(WebAssets.files[name]), as: UTF8.self)
    }

    @Test func `embeds every file of the page's folder`() throws {
        let folder = Repository.file("Sources/API/CWebPage/Page").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(WebAssets.embedded.keys) == Set(names))
        for (name, bytes) in WebAssets.embedded {
            #expect(FileManager.default.contents(atPath: "\(folder)/\(name)").map { Array($0) } == bytes)
        }
    }

    @Test func `all files together have at most 60 KiB`() {
        let sizes = WebAssets.files.mapValues(\.count)
        #expect(Set(sizes.keys) == ["app.js", "icon.svg", "index.html", "page.css", "status.js"])
        #expect(sizes.values.reduce(0, +) <= WebAssets.bytesMax, "\(sizes)")
    }

    @Test func `each module is in one bundle, and the status page is for owners`() {
        let (page, owner) = (WebAssets.pageBundle.modules, WebAssets.ownerBundle.modules)
        #expect(Set(page + owner) == Set(WebAssets.modules.keys))
        #expect((page + owner).count == WebAssets.modules.count)
        #expect(Set(owner) == ["control.js", "status.js"])
        #expect(page.last == "app.js" && owner.last == "status.js")
    }

    /// The modules of a bundle share one scope. A browser refuses a name that exists twice.
    @Test(arguments: [WebAssets.pageBundle.modules, WebAssets.ownerBundle.modules])
    func `each top-level name exists once in a bundle`(modules: [String]) throws {
        var owners: [String: String] = [:]
        for module in modules {
            let text = try #require(WebAssets.modules[module])
            let lines = text.matches(of: /(?m)^(?:export )?(?:async )?(?:const|let|function) (.*)/)
            for line in lines {
                // Skips text inside brackets: names of parameters and properties, and declarations of inner
                // blocks.
                var depth = 0
                let outer = line.1.drop { "[{".contains($0) }.prefix { $0 != ";" }.filter { character in
                    if "([{".contains(character) { depth += 1 }
                    if ")]}".contains(character) { depth -= 1 }
                    return depth == 0
                }
                for part in outer.split(separator: ",") {
                    let name = String(part.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber })
                    guard !name.isEmpty else { continue }
                    #expect(owners.updateValue(module, forKey: name) == nil, "\(name) in \(module)")
                }
            }
        }
        #expect(owners.count > 5)
    }

    @Test func `browsers revalidate the page each time and cache its files`() throws {
        let page = try #require(WebAssets.all.first)
        #expect(page.path == "/" && page.cacheControl == "no-cache" && page.entityTag != nil)
        #expect(page.contentType == "text/html; charset=utf-8")
        for asset in WebAssets.all.dropFirst() {
            #expect(asset.path.hasPrefix("/assets/") && asset.cacheControl.contains("immutable"))
            #expect(asset.contentType != "application/octet-stream", "\(asset.path)")
        }
        #expect(Set(WebAssets.all.map(\.path)).count == WebAssets.all.count)
    }

    @Test func `a changed file changes every asset path and the entity tag of the page`() {
        var changed = WebAssets.files
        changed["status.js"]?.append(10)
        let (before, after) = (WebAssets.all, WebAssets.assets(of: changed))
        #expect(Set(before.map(\.path)).intersection(after.map(\.path)) == ["/"])
        #expect(before.first?.entityTag != after.first?.entityTag)
    }

    /// A browser loads every file from a path in the page or from an import of a module.
    @Test func `the page and its modules name only files that exist`() throws {
        let paths = Set(WebAssets.all.map(\.path))
        let page = String(decoding: try #require(WebAssets.all.first).bytes, as: UTF8.self)
        let links = page.matches(of: /(?:href|src)="([^"]+)"/).map { String($0.1) }
        #expect(links.count >= 3 && paths.isSuperset(of: links))
        // `app.js` imports the status page if the device belongs to an owner.
        let (app, status) = (try Self.text("app.js"), try Self.text("status.js"))
        #expect(app.contains(#"import("./status.js")"#) && !app.contains("import{"))
        let imports = status.matches(of: /import\{([^}]*)\}from"([^"]*)"/)
        #expect(imports.map { String($0.2) } == ["./app.js"])
        let exports = try #require(app.firstMatch(of: /export\{([^}]*)\}/)).1.split(separator: ",")
        #expect(try #require(imports.first).1.split(separator: ",") == exports)
    }

    /// The content policy refuses these calls, but a browser reports a refusal only at run time.
    @Test(arguments: [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
    ])
    func `no module parses a text as HTML or code`(call: String) throws {
        for name in WebAssets.files.keys where name.hasSuffix(".js") {
            let text = try Self.text(name)
            #expect(!text.contains(call), "\(name)")
        }
        let page = try Self.text("index.html")
        #expect(!page.contains("style="))
    }

    @Test func `web.md documents every key of the web page's help`() throws {
        let help = try #require(WebAssets.modules["help.js"]?.split(separator: "};").first)
        let keys = help.matches(of: /(?:(\w+)|"([^"]+)"): "([^"]+)"/)
        #expect(keys.count > 10)
        let document = try String(contentsOf: Repository.file("docs/web.md"), encoding: .utf8)
        for key in keys {
            let name = key.1 ?? key.2 ?? ""
            #expect(document.contains("\n| `\(name)` | \(key.3) |\n"), "\(name)")
        }
    }

    // MARK: Tokens and words

    @Test func `the style sheet has the terminal's color of each tone`() throws {
        let sheet = try Self.text("page.css")
        for tone in Tone.allCases {
            let color = Color.of(tone)
            for shade in [color.light, color.dark] {
                #expect(sheet.contains("--tone-\(tone.word):\(shade.hex);"))
            }
            let rule = "{--tone:var(--tone-\(tone.word));--sign:\"\(tone.glyph.unicode)\"}"
            #expect(sheet.contains("." + tone.word + rule))
        }
        #expect(sheet.contains("--accent:\(Color.accent.light.hex);"))
    }

    @Test func `every custom property of the style sheet is declared`() throws {
        let sheet = try Self.text("page.css")
        let used = Set(sheet.matches(of: /var\(--([a-z-]+)\)/).map { String($0.1) })
        let declared = Set(sheet.matches(of: /--([a-z-]+):/).map { String($0.1) })
        #expect(used.count > 20)
        #expect(used.subtracting(declared).isEmpty)
        // Every color except the background of the histogram is a token.
        let own = String(decoding: try #require(WebAssets.embedded["page.css"]), as: UTF8.self)
        #expect(own.matches(of: /#[0-9a-fA-F]{3,6}\b/).count == 1)
    }

    @Test func `distances and radii of the style sheet are tokens`() throws {
        let sheet = String(decoding: try #require(WebAssets.embedded["page.css"]), as: UTF8.self)
        // Small distances and the padding of buttons need not be distances of the grid.
        let distances = Set(GridDistance.allCases.map(\.points)).union([0, 1, 2, 9])
        for rule in sheet.matches(of: /(?:padding|gap|margin)[a-z-]*: ([^;(]+);/) {
            for number in String(rule.1).matches(of: /(\d+)px/) {
                #expect(distances.contains(Int(number.1) ?? -1), "\(rule.0)")
            }
        }
        let radii = Set(CornerRadius.allCases.map(\.points)).union([2])
        for rule in sheet.matches(of: /border-radius: (\d+)px/) {
            #expect(radii.contains(Int(rule.1) ?? -1), "\(rule.0)")
        }
    }

    @Test func `the words of the page are the words of the terminal`() throws {
        let module = try #require(WebAssets.modules["words.js"])
        #expect(module.hasPrefix("export const words={camera:{searching:[\"Looking\",\"busy\"],"))
        #expect(module.contains("wrong_mode:[\"Needs you\",\"warning\"]"))
        #expect(module.contains("mode:{\"realtime\":\"Real-time upload\","))
        #expect(module.hasSuffix("};"))
        #expect(try Self.text("app.js").contains("words={camera:{searching:[\"Looking\",\"busy\"],"))
    }
}
