/// Which language a person has chosen, as every program of this system finds it out.
public enum PreferredLanguage {
    /// Languages in the order in which they are wanted, as two or three letters: `de`, `th`.
    ///
    /// `LC_ALL`, else `LC_MESSAGES`, else `LANG` says whether there is a choice at all; `LANGUAGE` may name several (gettext,
    /// "The LANGUAGE variable").
    ///
    /// - Parameter variable: looks a variable of the environment up.
    public static func languages(_ variable: (String) -> String?) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
        guard let locale, let language = language(of: locale) else { return [] }
        let list = (variable("LANGUAGE") ?? "").split(separator: ":").compactMap { self.language(of: $0) }
        return list.isEmpty ? [language] : list
    }

    /// `de` of `de_AT.UTF-8@euro`; `nil` for no language: `C`, `C.UTF-8`, `POSIX`.
    private static func language(of locale: some StringProtocol) -> String? {
        let word = locale.prefix { !"_.@-".contains($0) }
        return (2...3).contains(word.count) && word.allSatisfy { $0.isASCII && $0.isLetter }
            ? word.lowercased() : nil
    }
}
