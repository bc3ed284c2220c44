import CWebPage
import Crypto
import FoundationEssentials

/// The files of the web page.
///
/// `index.html` has the path `/`, and browsers check it each time. The paths of the other files contain a
/// hash of all files, so browsers keep these files.
public enum WebAssets {
    /// All files, `index.html` first.
    public static let all: [WebAsset] = assets(of: files)

    /// The largest total size of all files, in bytes. A phone loads them in a second.
    static let bytesMax = 60 * 1024

    /// The content of each file, by name. In `index.html`, `ASSETS/` means the folder of the other
    /// files.
    static let files: [String: [UInt8]] = {
        var files = embedded.filter { !$0.key.hasSuffix(".js") }
        if let sheet = files["page.css"] {
            files["page.css"] =
                Array(TokenStyleSheet.text.utf8) + AssetCompactor.compacted(sheet, .styleSheet)
        }
        let page = pageBundle.text(importingFrom: "", exporting: ownerBundle.imports)
        let owner = ownerBundle.text(importingFrom: "app.js")
        files["app.js"] = AssetCompactor.compacted(Array(page.utf8), .module)
        files["status.js"] = AssetCompactor.compacted(Array(owner.utf8), .module)
        return files
    }()

    /// The modules that every device loads.
    static let pageBundle = ModuleBundle(root: "app.js", sources: modules)

    /// The modules of the status page, which only an owner's device loads.
    static let ownerBundle = ModuleBundle(
        root: "status.js", sources: modules, others: Set(pageBundle.modules))

    /// The text of each module, by name.
    static let modules: [String: String] = {
        var modules = embedded.filter { $0.key.hasSuffix(".js") }
            .mapValues { String(decoding: $0, as: UTF8.self) }
        modules["words.js"] = WordsModule.text
        return modules
    }()

    /// The files of `CWebPage/Page`, unchanged, by name.
    static let embedded: [String: [UInt8]] = {
        var files: [String: [UInt8]] = [:]
        var index = 0
        while let name = framefast_page_name(index) {
            var count = 0
            if let start = framefast_page_file(index, &count) {
                files[String(cString: name)] = Array(UnsafeBufferPointer(start: start, count: count))
            }
            index += 1
        }
        return files
    }()

    /// Returns the files with their paths.
    static func assets(of files: [String: [UInt8]]) -> [WebAsset] {
        let digits = hash(of: files)
        let folder = "/assets/\(digits)/"
        return files.sorted { first, second in
            if first.key == index || second.key == index { return first.key == index }
            return first.key < second.key
        }.map { name, bytes in
            guard name == index else {
                return WebAsset(
                    path: folder + name, bytes: bytes, contentType: contentType(of: name),
                    cacheControl: "private, max-age=31536000, immutable", entityTag: nil)
            }
            let text = String(decoding: bytes, as: UTF8.self).replacing("ASSETS/", with: folder)
            return WebAsset(
                path: "/", bytes: Array(text.utf8), contentType: contentType(of: name),
                cacheControl: "no-cache", entityTag: "\"\(digits)\"")
        }
    }

    /// The name of the page itself.
    private static let index = "index.html"

    /// Returns 16 hexadecimal digits that change with each name and each content.
    private static func hash(of files: [String: [UInt8]]) -> String {
        var hasher = SHA256()
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            hasher.update(data: Data("\(name)\n\(bytes.count)\n".utf8))
            hasher.update(data: Data(bytes))
        }
        return hasher.finalize().prefix(8).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    private static func contentType(of name: String) -> String {
        switch name.split(separator: ".").last ?? "" {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
