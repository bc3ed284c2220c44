import Testing

@testable import WebPage

@Suite struct ModuleBundleTests {
    private static let sources = [
        "app.js": "// Starts.\nimport { b, c } from \"./b.js\";\nimport { d } from \"./d.js\";\nb(c, d);",
        "b.js": "import { d } from \"./d.js\";\nexport function b() {}\nexport const c = d;",
        "d.js": "export const d = 1;",
        "owner.js": "import { b } from \"./b.js\";\nimport { f } from \"./f.js\";\nexport const e = f(b);",
        "f.js":
            "import { e } from \"./owner.js\";\nimport { d } from \"./d.js\";\nexport const f = () => e + d;",
    ]

    @Test func `joins modules after the modules that they import`() {
        let bundle = ModuleBundle(root: "app.js", sources: Self.sources)
        #expect(bundle.modules == ["d.js", "b.js", "app.js"])
        #expect(
            bundle.text(importingFrom: "")
                == "const d = 1;\nfunction b() {}\nconst c = d;\n// Starts.\nb(c, d);\n")
    }

    @Test func `exports the names that another bundle imports`() {
        let page = ModuleBundle(root: "app.js", sources: Self.sources)
        let owner = ModuleBundle(root: "owner.js", sources: Self.sources, others: Set(page.modules))
        #expect(owner.modules == ["f.js", "owner.js"])
        #expect(owner.imports == ["b", "d"])
        #expect(page.text(importingFrom: "", exporting: owner.imports).hasSuffix("export { b, d };\n"))
        let text = owner.text(importingFrom: "app.js")
        #expect(text.hasPrefix("import { b, d } from \"./app.js\";\nconst f"))
        #expect(text.hasSuffix("const e = f(b);\nexport { e };\n"))
    }

    @Test(arguments: [
        ("export const { a, b } = c;", "a, b"), ("export async function a() {}", "a"),
        ("export let a = b, c;", "a"), ("const a = 1;", ""),
    ])
    func `keeps the exports of the root module`(line: String, names: String) {
        let text = ModuleBundle(root: "a.js", sources: ["a.js": line]).text(importingFrom: "")
        #expect(text.contains("export") == !names.isEmpty)
        #expect(names.isEmpty || text.hasSuffix("\nexport { \(names) };\n"))
    }
}
