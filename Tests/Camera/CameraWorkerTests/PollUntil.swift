import Glibc
import TestRig

/// Polls until a condition holds, for 60 s of ``LivedTime`` at most. The expectation after the call decides.
func pollUntil(_ condition: () throws -> Bool) rethrows {
    let patience = Patience(seconds: 60)
    while try !condition(), !patience.isOver { poll(nil, 0, 20) }
}
