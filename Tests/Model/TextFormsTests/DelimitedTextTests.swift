import Foundation
import Testing
import TextForms

@Suite struct DelimitedTextTests {
    private func fields(_ text: String) throws -> [[String]] {
        let table = try DelimitedText(text.utf8)
        return [table.header.fields] + table.rows.map(\.fields)
    }

    @Test(arguments: [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
        ("a;b\r\n1,5;2\r\n", [["a", "b"], ["1,5", "2"]]),
        ("a\tb\r1\t2", [["a", "b"], ["1", "2"]]),
        ("a\n1\n2", [["a"], ["1"], ["2"]]),
        // As Excel in German saves "CSV UTF-8": a byte order mark, semicolons, umlauts.
        (
            "\u{FEFF}nr;name\r\n1;Müller\r\n2;\"Ä; Ö\"\r\n",
            [["nr", "name"], ["1", "Müller"], ["2", "Ä; Ö"]]
        ),
        ("a,b\n\"Joe \"\"Jo\"\" O'Neill\", x \n", [["a", "b"], ["Joe \"Jo\" O'Neill", "x"]]),
        ("a,b\n\"two\r\nlines\",2\n", [["a", "b"], ["two\r\nlines", "2"]]),
        // Empty lines, and the empty fields that spreadsheets end lines with.
        ("\n\na,b,,\n1,,,\n,,,\n2,3\n\n", [["a", "b"], ["1"], ["2", "3"]]),
        ("a,b\n\"\",2\n", [["a", "b"], ["", "2"]]),
        // The separator is found in the line that names the columns, outside quotes.
        ("\"a,b\";c\n1;2\n", [["a,b", "c"], ["1", "2"]]),
        ("a,b\n 🙂👨‍👩‍👧 ,e\u{301}\n", [["a", "b"], ["🙂👨‍👩‍👧", "e\u{301}"]]),
    ])
    func `tables of spreadsheets are read`(text: String, rows: [[String]]) throws {
        #expect(try fields(text) == rows)
    }

    @Test func `rows know their lines, also behind line breaks in quotes`() throws {
        let table = try DelimitedText("a,b\r\n\r\n1,\"x\r\ny\"\r\n2,z\r\n".utf8)
        #expect(table.header.line == 1)
        #expect(table.rows.map(\.line) == [3, 5])
        #expect(try DelimitedText("a\r1\r\r2".utf8).rows.map(\.line) == [2, 4])
    }

    @Test(arguments: [
        ("", DelimitedTextError.empty), ("\u{FEFF}", .empty), ("\r\n\n", .empty),
        ("a,b\n1,2,3\n", .tooManyFields(line: 2, 3, columns: 2)),
        ("a,b\n\n1,\"open\n2,3\n", .openQuote(line: 3)),
        ("a,b\n1,\"x\"y\n", .textAfterQuote(line: 2)),
    ])
    func `what cannot be read names its line`(text: String, error: DelimitedTextError) {
        #expect(throws: error) { try DelimitedText(text.utf8) }
        #expect(!error.description.isEmpty)
    }

    @Test func `a table in an old coding names the first line that shows it`() throws {
        let bytes = Array("nr;name\r\n1;Anna\r\n2;M".utf8) + [0xFC] + Array("ller\r\n".utf8)
        #expect(throws: DelimitedTextError.notUTF8(line: 3)) { try DelimitedText(bytes) }
    }
}
