import Testing

@testable import WebPage

@Suite struct AssetCompactorTests {
    private func module(_ text: String) -> String {
        String(decoding: AssetCompactor.compacted(Array(text.utf8), .module), as: UTF8.self)
    }

    private func styleSheet(_ text: String) -> String {
        String(decoding: AssetCompactor.compacted(Array(text.utf8), .styleSheet), as: UTF8.self)
    }

    @Test(arguments: [
        ("// Adds.\na = 1 + 2; /* sum */\n", "a=1+2;"),
        ("if (a) {\n  b();\n}\nc();\n", "if(a){b()}c();"),
        ("const f = (a, b) => {\n  return a;\n};", "let f=(a,b)=>{return a};"),
        ("let a = b\nlet c", "let a=b\nlet c"),
        ("a = b - -c;", "a=b- -c;"),
        ("call(a,\n  b)\n  .then(c);", "call(a,b).then(c);"),
    ])
    func `removes comments and unnecessary spaces from a module`(source: String, result: String) {
        #expect(module(source) == result)
    }

    @Test(arguments: [
        (
            "const a = 1;\nlet b = 2;\nconst c = () => {\n  let d;\n  let e;\n};",
            "let a=1,b=2,c=()=>{let d,e};"
        ),
        ("export const a = 1;\nexport const b = 2;", "export let a=1;export let b=2;"),
        ("let a = b\nc();\nlet d;", "let a=b\nc();let d;"),
        ("for (const a of b) c();\nconst d = 1;", "for(let a of b)c();let d=1;"),
        ("if (a) { const b = 1; c(b); }\nconst d = 2;", "if(a){let b=1;c(b)}let d=2;"),
        ("const { a } = b, [c] = d;", "let{a}=b,[c]=d;"),
    ])
    func `joins successive declarations of one block`(source: String, result: String) {
        #expect(module(source) == result)
    }

    @Test(arguments: [
        ("return (a) => a;", "return a=>a;"), ("b((a) => a);", "b(a=>a);"),
        ("async (a) => { await a; };", "async a=>{await a};"), ("b = (a, c) => a;", "b=(a,c)=>a;"),
        ("b = () => a;", "b=()=>a;"), ("b = ({ a }) => a;", "b=({a})=>a;"),
    ])
    func `removes the parentheses around the only parameter of an arrow function`(
        source: String, result: String
    ) {
        #expect(module(source) == result)
    }

    @Test(arguments: [
        ("return a === true ? false : [true, false];", "return a===!0?!1:[!0,!1];"),
        ("a = { true: 1, false: 2 };", "a={true:1,false:2};"), ("a = trueish;", "a=trueish;"),
        ("a(\"true\", `false ${true}`);", "a(\"true\",`false ${!0}`);"),
        ("a = [\n  1,\n  2,\n];", "a=[1,2];"), ("const [, a] = b;", "let[,a]=b;"),
    ])
    func `writes values and lists in a shorter form`(source: String, result: String) {
        #expect(module(source) == result)
    }

    @Test(arguments: [
        ("export async function a() {\n  b();\n}\nc();", "export async function a(){b()}c();"),
        ("for (const a of b) {\n  c();\n}\nconst d = 1;", "for(let a of b){c()}let d=1;"),
        ("try {\n  a();\n} catch {}\nb();", "try{a()}catch{}b();"),
        ("if (a) {\n  b();\n}\nelse {\n  c();\n}\nd();", "if(a){b()}else{c()}\nd();"),
        ("const a = { b }\nc();", "let a={b}\nc();"), ("a = () => {}\nb();", "a=()=>{}\nb();"),
    ])
    func `removes a line break after a block, but not after a value`(source: String, result: String) {
        #expect(module(source) == result)
    }

    @Test func `compacts the expressions of a template and keeps its texts`() {
        let source = "a(`x  ${b  ?  `y  ${ c }`  :  \"}\"}  \\${  z`);"
        #expect(module(source) == "a(`x  ${b?`y  ${c}`:\"}\"}  \\${  z`);")
    }

    @Test(arguments: [
        #"a("x  //  y",'it''s  "z"');"#, #"a("\"  b");"#, "a(`x  $  {y}`);",
        "a(/\\/\\/  [/ ]+/g);", "a=/^#?([0-9A-Z]{4})  $/i;",
    ])
    func `keeps texts and regular expressions unchanged`(source: String) {
        #expect(module(source) == source)
    }

    @Test func `treats a slash after a value as a division`() {
        #expect(module("a = b / c; // d / e\nf(g / h);") == "a=b/c;f(g/h);")
    }

    @Test(arguments: [
        ("a > b , c { color: red; margin: 0 auto; }\n", "a>b,c{color:red;margin:0 auto}"),
        ("a > * + * ~ b { c: d }", "a>* + *~b{c:d}"),
        ("/* x */\n.a::before { content: \"a  ;  b\" / \"\"; }", ".a::before{content:\"a  ;  b\" / \"\"}"),
        (
            "@media (max-width: 40rem) and (hover) {\n.a { width: calc(1px - 2px); }\n}",
            "@media (max-width:40rem) and (hover){.a{width:calc(1px - 2px)}}"
        ),
    ])
    func `removes unnecessary spaces from a style sheet`(source: String, result: String) {
        #expect(styleSheet(source) == result)
    }

    @Test(arguments: ["\"a", "`a", "`${", "/a", "/*", "//", "\"\\", "=/[/"])
    func `reads an unfinished literal to the end of the file`(source: String) {
        #expect(module(source).utf8.count <= source.utf8.count)
    }
}
