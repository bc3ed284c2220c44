import Glibc

/// What `scripts/fuzz` runs: libFuzzer over one target. The first argument names it; the others are libFuzzer's.
@main enum FuzzProgram {
    private nonisolated(unsafe) static var target = FuzzTarget.structure
    // Reason: set once before libFuzzer runs, which calls back on one thread; its callback can hold nothing.

    static func main() {
        let names = FuzzTarget.allCases.map(\.rawValue)
        guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1])
        else {
            print(names.joined(separator: "\n"))
            exit(CommandLine.arguments.count > 1 ? EX_USAGE : EXIT_SUCCESS)
        }
        self.target = target
        // libFuzzer starts itself again in some ways of running: it keeps the program's name and gets the rest.
        var words: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
        words.remove(at: 1)
        var count = CInt(words.count)
        words.append(nil)
        let status = words.withUnsafeMutableBufferPointer { words in
            var start = words.baseAddress
            return runDriver(&count, &start) { bytes, count in
                FuzzProgram.target.feed(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
                return 0
            }
        }
        exit(status)
    }
}

/// libFuzzer's main loop (compiler-rt, FuzzerDriver.cpp).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
