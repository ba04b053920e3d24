// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
public import Foundation

/// A program and what it says.
///
/// Started without Foundation's `Process`, which on Linux copies each entry of `/proc/self/fd` at its
/// greatest length: with some 1,350 descriptors open, as here, it reads past the C library's buffer.
public final class Command: Sendable {
    private let input: FileHandle
    private let log: URL
    private let ended = LoopbackServer.Guarded<Int32?>(nil)

    /// Starts a server, which runs until it is stopped or the test process ends, be it by a crash.
    ///
    /// A shell waits in the background for the end of its input, and becomes the server. It may have
    /// inherited that milder signals are blocked.
    static func server(_ path: String, _ arguments: [String], in folder: URL) throws -> Command {
        let script = #"exec 3<&0; (cat <&3; kill -KILL $$) & exec "$0" "$@" 3<&-"#
        return try Command("/bin/sh", ["-c", script, path] + arguments, in: folder)
    }

    /// Starts a program; what it says goes to a file in the folder.
    public init(_ path: String, _ arguments: [String], in folder: URL) throws {
        log = folder.appendingPathComponent("output")
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackServer.Socket.lastError() }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        let id = try Self.start([path] + arguments, input: ends[0], output: log, in: folder)
        let ended = ended
        Thread {
            var status: Int32 = 0
            var result = waitpid(id, &status, 0)
            while result < 0, errno == EINTR { result = waitpid(id, &status, 0) }
            // The signal that ended it, else what it returned.
            let code = status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
            ended.withLock { $0 = result < 0 ? -1 : code }
        }.start()
    }

    /// Starts a program that has its input, its output and no other descriptor.
    private static func start(
        _ words: [String], input: Int32, output: URL, in folder: URL
    ) throws -> pid_t {
        #if os(Linux)
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #else
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, output.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        #if os(Linux)
        _ = closeOthers?(&actions, 3)
        #else
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
        #endif
        // A shell goes to the folder, for want of a way that all systems have.
        let words = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder.path] + words
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var id: pid_t = 0
        let result = posix_spawn(&id, words[0], &actions, &attributes, &arguments, &variables)
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EIO) }
        return id
    }

    #if os(Linux)
    /// `posix_spawn_file_actions_addclosefrom_np`, of glibc 2.34, which Swift's module of it does not show.
    private static let closeOthers = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast($0, to: CloseOthers.self)
    }
    private typealias CloseOthers =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
    #endif

    var hasEnded: Bool {
        ended.withLock { $0 != nil }
    }

    /// What it has said.
    var output: String {
        String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self)
    }

    /// Blocks until it has ended; nil if that takes longer than a minute.
    @discardableResult
    public func waitUntilExit() -> Int32? {
        _ = ended.wait(timeout: 60) { $0 != nil }
        return ended.withLock { $0 }
    }

    /// Waits until it has ended; nil if that takes longer than a minute.
    public func exitStatus() async -> Int32? {
        await withCheckedContinuation { continuation in
            Thread { [self] in continuation.resume(returning: waitUntilExit()) }.start()
        }
    }

    /// Ends a server.
    func stop() {
        try? input.close()
        waitUntilExit()
    }
}
#endif
