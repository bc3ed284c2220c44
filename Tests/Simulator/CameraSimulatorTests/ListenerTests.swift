import Glibc
import SystemIO
import Testing

@testable import CameraSimulator

@Suite struct ListenerTests {
    @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func `a shortage of descriptors or memory is temporary`(number: Int32) {
        #expect(SystemCallFailure(number: number).isShortage)
    }

    @Test(arguments: [EINVAL, EBADF, ECONNABORTED])
    func `any other error is permanent`(number: Int32) {
        #expect(!SystemCallFailure(number: number).isShortage)
    }
}
