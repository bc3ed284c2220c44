import FrameFastModel
import SurfaceTestSupport
import Testing

@Suite struct ConditionDocumentTests {
    @Test func `conditions.md equals the generated text`() throws {
        let document = try ConditionDocument()
        #expect(document.kinds == ConditionKind.allCases)
        let text = try document.markdown()
        let file = try DocumentFile("docs/conditions.md").text(writing: text)
        #expect(file == text, "write it with scripts/docs")
    }

    @Test func `the sources contain the texts of each example`() throws {
        let sources = try SourceText(joinsLiterals: true)
        for kind in ConditionKind.allCases {
            for text in try ConditionExample.of(kind).fixedTexts {
                #expect(sources.hasLiteral(with: text), "\(kind.rawValue): '\(text)'")
            }
        }
    }
}
