import Glibc

/// The program of `scripts/fuzz`: libFuzzer over one target. The first argument names the target; libFuzzer
/// receives the other arguments.
///
/// The options `-fork`, `-jobs` and `-merge` do not work. With these options, libFuzzer starts the program
/// again without the target. `scripts/fuzz` does not use these options.
@main enum FuzzProgram {
    private nonisolated(unsafe) static var target = FuzzTarget.structure
    // Reason: `main` sets the target once before libFuzzer runs. libFuzzer calls back on one thread, and its
    // callback can't capture values.

    static func main() {
        let names = FuzzTarget.allCases.map(\.rawValue)
        guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1])
        else {
            print(names.joined(separator: "\n"))
            exit(CommandLine.arguments.count > 1 ? EX_USAGE : EXIT_SUCCESS)
        }
        self.target = target
        // libFuzzer receives the program's name and the arguments after the target.
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
