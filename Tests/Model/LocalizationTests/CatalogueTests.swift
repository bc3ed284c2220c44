import Testing

@testable import Localization

@Suite struct CatalogueTests {
    private static let german = """
        # a comment
        msgid ""
        msgstr ""
        "Language: de\\n"
        "Plural-Forms: nplurals=2; plural=(n != 1);\\n"

        msgid "{1} of {2}"
        msgstr "von {2} {1}"

        msgctxt "a file"
        msgid "Open"
        msgstr ""
        "Öff"
        "nen"

        #, fuzzy
        msgid "Held"
        msgstr "Gehalten"

        msgid "Later"
        msgstr ""

        msgid "one photo"
        msgid_plural "{1} photos"
        msgstr[0] "{1} Foto"
        msgstr[1] "{1} Fotos"
        """

    @Test func `a text is found by its English, and what is filled in may change places`() throws {
        let catalogue = try PortableObject(Self.german).catalogue
        let (name, count) = ("a {b} `c`", 3)
        catalogue {
            #expect(localized("\(count) of \(name)") == "von a {b} `c` 3")
            #expect(localized("Open", "a file") == "Öffnen")
            // Another meaning, one that is in doubt, and one that is not translated yet.
            #expect(
                localized("Open") == "Open" && localized("Held") == "Held" && localized("Later") == "Later")
            #expect(localized(whole: "{1} of {2}") == "{1} of {2}")
        }
        #expect(localized("\(count) of \(name)") == "3 of a {b} `c`")
    }

    @Test(arguments: [
        (0, "0 photos", "0 Fotos"), (1, "one photo", "1 Foto"), (2, "2 photos", "2 Fotos"),
        (-1, "-1 photos", "-1 Fotos"),
    ])
    func `a number decides about the form`(count: Int, english: String, german: String) throws {
        let catalogue = try PortableObject(Self.german).catalogue
        let text = { localized(count, one: "one photo", other: "\(count) photos") }
        #expect(text() == english)
        #expect(catalogue(text) == german)
    }

    @Test func `a language without plurals has one form`() throws {
        let thai = try PortableObject(
            """
            msgid ""
            msgstr "Plural-Forms: nplurals=1; plural=0;\\n"

            msgid "{1} photo"
            msgid_plural "{1} photos"
            msgstr[0] "{1} ภาพ"
            """)
        for count in 0...2 {
            #expect(
                thai.catalogue { localized(count, one: "\(count) photo", other: "\(count) photos") }
                    == "\(count) ภาพ")
        }
    }

    @Test func `braces of a text are its own`() {
        let name = "x"
        #expect(localized("write {{ for a brace, {\(name)}") == "write {{ for a brace, {x}")
        #expect(Message("{\(name)}").key == "{{{1}}}")
        #expect(Message("\(name)").filled(into: "{2} {1} {0} { }") == "{2} x {0} { }")
    }

    @Test(arguments: [
        ("msgid \"a\"", 1), ("msgid \"a\"\nmsgstr \"b", 2), ("msgstr[2] \"a\"", 1), ("\"a\"", 1),
        ("msgid", 1),
        ("msgid \"a\" b\nmsgstr \"\"", 1), ("msgid \"\\q\"\nmsgstr \"\"", 1),
        ("msgid \"\"\nmsgstr \"Plural-Forms: nplurals=3; plural=n;\\n\"", 1), ("hello \"a\"", 1),
    ])
    func `a file that is none says where`(text: String, line: Int) {
        #expect { try PortableObject(text) } throws: { ($0 as? PortableObject.Fault)?.line == line }
    }
}
