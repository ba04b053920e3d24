// SPDX-License-Identifier: MIT

#if !canImport(Darwin)
/// Foundation's storage gives Secure cookies to http and ignores paths on Linux, so the shared cookies
/// are a jar of ours there.
typealias SharedCookieStore = CookieJarStore
#endif
