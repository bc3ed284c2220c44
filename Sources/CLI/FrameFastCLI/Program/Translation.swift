import CTranslations
import Glibc
import Localization

/// The program's texts in the languages that it brings.
enum Translation {
    /// Besides English, in which the texts stand in the source.
    static let languages = ["de", "th"]

    /// Chooses the language as the environment says, for screens and bars. What programs read stays in English.
    static func useOfEnvironment() {
        let wanted = PreferredLanguage.languages { getenv($0).map { String(cString: $0) } }
        // The first that is there, and English is.
        guard let language = wanted.first(where: { $0 == "en" || languages.contains($0) }), language != "en",
            let translation = of(language)
        else { return }
        Catalogue.use(translation.catalogue)
    }

    /// The translation into a language; `nil` where there is none.
    static func of(_ language: String) -> PortableObject? {
        var count = 0
        guard let bytes = framefast_translation(language, &count) else { return nil }
        return try? PortableObject(
            String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    }
}
