import Testing

@testable import TestRig

@Suite struct StraceTests {
    @Test func `joins a call that strace writes on two lines`() {
        let trace = """
            101   fsync(12</a.part> <unfinished ...>
            10002 rename("/a", "/b") = 0
            101   <... fsync resumed>) = -1 EIO (Input/output error) (INJECTED)
            101   +++ exited with 0 +++
            """
        #expect(
            Strace.calls(in: trace) == [
                Strace.Call(
                    thread: 101, text: "fsync(12</a.part>) = -1 EIO (Input/output error) (INJECTED)",
                    isInjected: true),
                Strace.Call(thread: 10_002, text: "rename(\"/a\", \"/b\") = 0", isInjected: false),
            ])
    }

    @Test func `a call in a trace of a single thread gets thread ID 0`() {
        #expect(
            Strace.calls(in: "write(3</a>, \"x\", 1) = 1\n")
                == [Strace.Call(thread: 0, text: "write(3</a>, \"x\", 1) = 1", isInjected: false)])
    }
}
