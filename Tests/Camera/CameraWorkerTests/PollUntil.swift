import Glibc
import TestRig

/// Polls until a condition holds, for at most 60 s of ``LivedTime``. The expectation after the call
/// determines the result of the test.
func pollUntil(_ condition: () throws -> Bool) rethrows {
    let limit = WaitLimit(seconds: 60)
    while try !condition(), !limit.isOver { poll(nil, 0, 20) }
}
