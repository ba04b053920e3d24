// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import TestSupport
import Testing

@testable import HTTPCore

struct StandardLogInternalTests {
    // A call must not end its process because a disk is full, or because who read the log has gone.
    @Test func aLogThatCanNotBeWrittenIsLost() async {
        await inTurn {
            await #expect(processExitsWith: .success) {
                let full = open("/dev/full", O_WRONLY)
                #expect(dup2(full, STDERR_FILENO) == STDERR_FILENO)
                StandardLog.write("line")
                signal(SIGPIPE, SIG_IGN)
                var ends: [Int32] = [0, 0]
                #expect(pipe(&ends) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO)
                close(ends[0])
                StandardLog.write("line")
            }
        }
    }
}
#endif
