import Foundation
import Repository
import TestRig
import Testing

/// Tests that every call that creates a descriptor sets close-on-exec. A program that another thread starts
/// at the same time must not inherit the descriptor. Otherwise, the reader of a pipe or connection would
/// never receive the end of the stream.
@Suite(.blocking) struct DescriptorTests {
    /// A system call that creates a descriptor.
    struct Rule: CustomTestStringConvertible, Sendable {
        /// The name of the function, for a quick test before the regular expression.
        var name: String
        /// A regular expression for the call in a line.
        var call: String
        /// The flag of the call, or `nil` if the call has none and is forbidden.
        var flag: String?
        /// The call or type to use.
        var use: String
        var testDescription: String { call }

        /// - Parameter arguments: A regular expression for the beginning of the arguments.
        init(_ name: String, _ arguments: String = "", flag: String? = nil, use: String) {
            // The pattern excludes methods, because a dot precedes their names.
            call = #"(^|[^.A-Za-z0-9_]|Glibc\.)"# + name + #"\("# + arguments
            (self.name, self.flag, self.use) = (name, flag, use)
        }

        /// - Parameter call: A regular expression for the whole call.
        init(method name: String, call: String, flag: String, use: String) {
            (self.name, self.call, self.flag, self.use) = (name, call, flag, use)
        }
    }

    static let rules: [Rule] = [
        Rule("open", #"([^,]+, *\(?(O_|\w*[fF]lags\b|\w+ \?)|$)"#, flag: "O_CLOEXEC", use: "O_CLOEXEC"),
        // swift-system's `FileDescriptor.open`.
        Rule(
            method: "open", call: #"\.open\([^,]+, \.(read|write)"#, flag: "closeOnExec",
            use: ".closeOnExec"),
        Rule("openat", flag: "O_CLOEXEC", use: "O_CLOEXEC"),
        Rule("creat", use: "open with O_CLOEXEC"),
        Rule("socket", "(AF_|PF_|family|$)", flag: "SOCK_CLOEXEC", use: "SOCK_CLOEXEC"),
        Rule("socketpair", flag: "SOCK_CLOEXEC", use: "SOCK_CLOEXEC"),
        Rule("accept", #"\w"#, use: "IO.accept"),
        Rule("accept4", flag: "SOCK_CLOEXEC", use: "SOCK_CLOEXEC"),
        Rule("pipe", "&?[a-z]", use: "PipePair"),
        Rule("pipe2", flag: "O_CLOEXEC", use: "O_CLOEXEC"),
        Rule("dup", use: "fcntl with F_DUPFD_CLOEXEC"),
        Rule("dup3", flag: "O_CLOEXEC", use: "O_CLOEXEC"),
        Rule("mkstemp", use: "mkostemp with O_CLOEXEC"),
        Rule("mkostemp", flag: "O_CLOEXEC", use: "O_CLOEXEC"),
        Rule("fopen", flag: #""[rwa]+\+?b?e"#, use: "the mode letter e"),
        Rule("tmpfile", use: "mkostemp with O_CLOEXEC"),
        Rule("popen", use: "ChildProcess"),
        Rule("inotify_init", use: "inotify_init1 with IN_CLOEXEC"),
        Rule("inotify_init1", flag: "IN_CLOEXEC", use: "IN_CLOEXEC"),
        Rule("epoll_create", use: "epoll_create1 with EPOLL_CLOEXEC"),
        Rule("epoll_create1", flag: "EPOLL_CLOEXEC", use: "EPOLL_CLOEXEC"),
        Rule("eventfd", flag: "EFD_CLOEXEC", use: "EFD_CLOEXEC"),
        Rule("timerfd_create", flag: "TFD_CLOEXEC", use: "TFD_CLOEXEC"),
        Rule("signalfd", flag: "SFD_CLOEXEC", use: "SFD_CLOEXEC"),
        Rule("memfd_create", flag: "MFD_CLOEXEC", use: "MFD_CLOEXEC"),
    ]

    private static let ownPath = "Tests/ArchitectureTests/DescriptorTests.swift"

    /// The files that may contain calls without the flag, with the reason.
    static let exceptions: [String: String] = [
        "Sources/Camera/CameraWorker/Sandbox/SandboxTrial.swift":
            "tests what the sandbox allows, and closes each descriptor before it starts a program"
    ]

    /// The number of lines before a call that may contain the flags as a named value.
    private static let linesBefore = 3
    /// The number of lines after the first line of a call that may contain the flag.
    private static let linesAfter = 2

    /// Returns the numbers of the lines with a call without the flag.
    static func violations(of rule: Rule, in lines: [String]) throws -> [Int] {
        let call = try LinePattern(rule.call)
        let flag = try rule.flag.map { try LinePattern($0) }
        return lines.indices.filter { index in
            guard lines[index].contains(rule.name) else { return false }
            let line = lines[index].drop { $0 == " " }
            guard !line.hasPrefix("//"), !line.hasPrefix("case "), !line.contains("func "),
                call.matches(String(line))
            else { return false }
            guard let flag else { return true }
            let range = max(index - linesBefore, 0)...min(index + linesAfter, lines.count - 1)
            return !lines[range].contains { flag.matches($0) }
        }.map { $0 + 1 }
    }

    /// Returns the names of all functions that a file calls.
    private static func names(calledIn text: String) -> Set<String> {
        let isWord: (UInt8) -> Bool = { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return Set(
            text.utf8.split(separator: UInt8(ascii: "(")).map { piece in
                let start = piece.lastIndex { !isWord($0) }.map(piece.index(after:)) ?? piece.startIndex
                return String(Substring(piece[start...]))
            })
    }

    private static func sources() throws -> [(path: String, text: String)] {
        try ["Sources", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Repository.file(folder).path)
                .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }.sorted()
                .map { name in
                    let path = "\(folder)/\(name)"
                    return (path, try String(contentsOf: Repository.file(path), encoding: .utf8))
                }
        }
    }

    @Test func `every call that creates a descriptor sets close-on-exec`() throws {
        var usedExceptions: Set<String> = []
        for (path, text) in try Self.sources() where path != Self.ownPath {
            let names = Self.names(calledIn: text)
            let rules = Self.rules.filter { names.contains($0.name) }
            let lines = rules.isEmpty ? [] : text.components(separatedBy: "\n")
            for rule in rules {
                let wrong = try Self.violations(of: rule, in: lines)
                guard !wrong.isEmpty else { continue }
                if Self.exceptions[path] != nil {
                    usedExceptions.insert(path)
                } else {
                    Issue.record("\(path): lines \(wrong) make a descriptor: use \(rule.use)")
                }
            }
        }
        #expect(Set(Self.exceptions.keys) == usedExceptions, "exceptions without such a call")
    }

    @Test(arguments: [
        (#"let file = open(path, O_RDONLY)"#, true), (#"let file = Glibc.open("/a", O_RDWR)"#, true),
        (#"let file = open(path, O_RDONLY | O_CLOEXEC)"#, false), (#"descriptor = open(path, flags)"#, true),
        (#"descriptor = open(path, flags | O_CLOEXEC)"#, false), (#"try worker.open(camera)"#, false),
        (#"try FileDescriptor.open("/dev/null", .readWrite)"#, true),
        (#"return open(.away, at: now)"#, false), (#"guard pipe(&ends) == 0 else {"#, true),
        (#"let one = accept(descriptor, nil, nil)"#, true), (#"func accept() { answered.signal() }"#, false),
        (#"let end = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)"#, true),
        (#"_ = fcntl(ends[0], F_SETFD, FD_CLOEXEC); inotify_init()"#, true),
        (#"case socket(address: String, reason: String)"#, false), (#"int other = dup(file);"#, true),
    ])
    func `detects a call without its close-on-exec flag`(line: String, isWrong: Bool) throws {
        let found = try Self.rules.filter { try !Self.violations(of: $0, in: [line]).isEmpty }
        #expect(found.isEmpty != isWrong, "\(found.map(\.call))")
    }
}
