/// A token as a template has it: which one, and what is done to its text.
struct TokenUse: Hashable, Sendable {
    /// Letters that are all made large, or all small.
    enum Letters: String, CaseIterable, Sendable {
        case upper, lower
    }

    var token: NamingToken
    /// Which field `{field:NAME}` stands for.
    var field: FieldName?
    /// Digits of a number, at least.
    var width = 0
    /// Characters of a text, at most.
    var lengthMax: Int?
    var letters: Letters?

    /// Reads what stands between the braces: `counter:05`, `camera:upper`, `field:client:12`.
    init(_ text: Substring) throws(NamingTemplateError) {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)[...]
        let name = String(parts.removeFirst())
        guard let token = NamingToken(rawValue: name) else { throw .unknownToken(name) }
        self.token = token
        if token == .field {
            guard let given = parts.popFirst().flatMap({ FieldName(given: $0) }) else {
                throw .badField(String(text))
            }
            field = given
        }
        for part in parts { try modify(part, in: text) }
    }

    private mutating func modify(_ part: Substring, in text: Substring) throws(NamingTemplateError) {
        if let letters = Letters(rawValue: String(part)), self.letters == nil, token.hasLetters {
            self.letters = letters
            return
        }
        guard part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(part)
        else { throw .badWidth(String(text)) }
        if token.isNumber, width == 0, (1...NamingTemplate.maximumCounterWidth).contains(number) {
            width = number
        } else if token.isText, lengthMax == nil, (1...SafeName.maximumBytes).contains(number) {
            lengthMax = number
        } else {
            throw .badWidth(String(text))
        }
    }

    /// What a photo says to it.
    func text(of photo: Photo, counter: Int, host: FleetHostName) -> String {
        changed(
            field.map { photo.record.fields[$0] ?? NamingToken.noField }
                ?? token.text(of: photo, counter: counter, width: width, host: host))
    }

    /// A text as the template wants it.
    func changed(_ text: String) -> String {
        var text = text
        switch letters {
        case .upper?: text = text.uppercased()
        case .lower?: text = text.lowercased()
        case nil: break
        }
        return lengthMax.map { String(text.prefix($0)) } ?? text
    }
}
