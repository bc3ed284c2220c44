import Testing

@testable import CameraSimulator

@Suite struct PTPOperationTests {
    @Test(arguments: [
        (UInt16(0x9207), Maker.nikon, PTPOperation.nikonCapture), (0x9207, .sony, .sonyControl),
        (0x1007, .sony, .getObjectHandles), (0x1007, .nikon, .getObjectHandles),
    ])
    func `a code maps to the operation of its maker`(
        code: UInt16, maker: Maker, operation: PTPOperation
    ) {
        #expect(PTPOperation(code: code, maker: maker) == operation)
        #expect(operation.code == code)
    }

    @Test(arguments: Maker.allCases)
    func `the operations of a maker have unique codes`(maker: Maker) {
        let codes = CameraIdentity(maker).operations.map(\.code)
        #expect(Set(codes).count == codes.count)
    }

    @Test(arguments: PTPOperation.allCases.filter { $0.maker != .generic })
    func `finds each maker's operation by code`(operation: PTPOperation) {
        #expect(PTPOperation(code: operation.code, maker: operation.maker) == operation)
    }
}
