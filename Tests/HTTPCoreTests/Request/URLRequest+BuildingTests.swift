// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct URLRequestBuildingTests {
    private var request: URLRequest { URLRequest(method: .get, url: URL(string: "http://h/p")!) }

    @Test(arguments: [HTTPMethod.get, .post, .patch, HTTPMethod(rawValue: "PURGE")])
    func methodAndURLAreAsGiven(method: HTTPMethod) {
        let url = URL(string: "http://h/p?q=1")!
        let request = URLRequest(method: method, url: url)
        #expect(request.httpMethod == method.rawValue)
        #expect(request.url == url)
        #expect(request.allHTTPHeaderFields ?? [:] == [:])
    }

    @Test func acceptAndContentTypeReplaceWhatWasSet() {
        var request = request
        request.setValue("a/b", forHTTPHeaderField: "accept")
        request.setHeaderAccept(.json)
        request.setHeaderContentType(.xml)
        request.setHeaderContentType(.formURLEncoded)
        #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
        let contentType = request.value(forHTTPHeaderField: "Content-Type")
        #expect(contentType == "application/x-www-form-urlencoded")
        #expect(request.allHTTPHeaderFields?.count == 2)
    }

    @Test func aHeaderIsSetReplacedAndRemoved() throws {
        var request = request
        try request.setHeader("X-A", "1")
        #expect(request.value(forHTTPHeaderField: "x-a") == "1")
        try request.setHeader("x-a", "ü, 2")
        #expect(request.value(forHTTPHeaderField: "X-A") == "ü, 2")
        try request.setHeader("X-a", nil)
        #expect(request.value(forHTTPHeaderField: "X-A") == nil)
    }

    // O-38
    @Test(arguments: ["v\r\nX-Injected: 1", "a\0b", "a\nb", "a\rb", "\n", "a\r\n"])
    func aValueThatEndsItsLineIsRefused(value: String) {
        var request = request
        let error = #expect(throws: InvalidRequest.self) { try request.setHeader("X-A", value) }
        #expect(error?.kind == .headerValue)
        #expect(error?.description.contains("X-A") == true)
        #expect(request.allHTTPHeaderFields ?? [:] == [:])
    }

    // O-38
    @Test(arguments: ["X B", "", "X:", "X\r\nY", "Ä", "(x)", "x\0"])
    func aNameThatIsNoTokenIsRefused(name: String) {
        var request = request
        let error = #expect(throws: InvalidRequest.self) { try request.setHeader(name, "1") }
        #expect(error?.kind == .headerName)
        #expect(error?.description.contains("\r") == false)
    }

    @Test func anErrorNeverShowsTheValue() {
        var request = request
        let error = #expect(throws: InvalidRequest.self) {
            try request.setHeader("Authorization", "Bearer hunter2\n")
        }
        #expect(error?.localizedDescription.contains("hunter2") == false)
    }
}
