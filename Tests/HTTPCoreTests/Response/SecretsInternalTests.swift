// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import HTTPCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct SecretsInternalTests {
    @Test(arguments: [
        "password", "Password", "user_password", "newPassword", "passwd", "pwd", "pw", "secret",
        "client_secret", "token", "access_token", "refreshToken", "id-token", "apiKey", "api_key",
        "X-API-Key", "authorization", "Proxy-Authorization", "credentials", "session_id", "otp",
        "pin",
        "jwt", "signature", "privateKey", "access-key", "user[password]",
        "passcode", "user[pwd]", "user_pwd", "otp_code", "totp", "bearer", "assertion",
        "code_verifier", "PHPSESSID", "id_jwt", "auth_code", "pin_code", "security_code", "cvv2",
        "cardNumber", "ssn", "cookie", "Set-Cookie", "X-JWT-Assertion", "Cf-Access-Jwt-Assertion",
        "X-Session", "X-OTP", "X-Pwd", "DPoP",
        "key", "Ocp-Apim-Subscription-Key", "X-Functions-Key", "X-Auth-Key", "encryptionKey",
    ])
    func namesOfSecrets(name: String) {
        #expect(Secrets.isSecretName(name))
    }

    @Test(arguments: [
        "title", "id", "name", "author", "keyboard", "shipping", "spinner", "passenger",
        "compass",
        "design", "accept", "content-type", "keys", "Idempotency-Key", "X-Idempotency-Key",
        "publicKey", "ssh_public_key", "",
    ])
    func namesOfNoSecrets(name: String) {
        #expect(!Secrets.isSecretName(name))
    }

    @Test(arguments: [
        // JSON members
        (#"{"password":"p","a":1}"#, #"{"password":"•••","a":1}"#),
        (#"{ "token" : "a\"b" , "a":1}"#, #"{ "token" : "•••" , "a":1}"#),
        (#"{"pin":1234,"a":1}"#, #"{"pin":"•••","a":1}"#),
        (#"{"pin":1234}"#, #"{"pin":"•••"}"#),
        (
            #"[{"a":"x","secret":"p"},{"secret":null}]"#,
            #"[{"a":"x","secret":"•••"},{"secret":"•••"}]"#
        ),
        (#"{"user":{"name":"n","password":"p"}}"#, #"{"user":{"name":"n","password":"•••"}}"#),
        (#"{"a":["x","y",{"token":"p"}]}"#, #"{"a":["x","y",{"token":"•••"}]}"#),
        // What a container of secrets holds is not looked at, so neither is what follows it.
        (#"{"token":{"id":"p"},"a":1}"#, #"{"token":"•••""#),
        (#"{"tokens":["p","q"],"a":1}"#, #"{"tokens":"•••""#),
        // Cut in the value, in an escape, after the colon
        (#"{"a":1,"password":"hun"#, #"{"a":1,"password":"•••""#),
        (#"{"a":1,"password":"hun\"#, #"{"a":1,"password":"•••""#),
        (#"{"a":1,"password":""#, #"{"a":1,"password":"•••""#),
        (#"{"a":1,"password":12"#, #"{"a":1,"password":"•••""#),
        (#"{"a":1,"password":"#, #"{"a":1,"password":"#),
        // An escape may hide the name
        (#"{"passw\u006frd":"p","a":1}"#, #"{"passw\u006frd":"•••","a":1}"#),
        // URLs
        ("at https://u:p@h/x?a=1", "at https://•••@h/x?a=1"),
        (#"{"url":"https:\/\/u:p@h\/x"}"#, #"{"url":"https:\/\/•••@h\/x"}"#),
        ("https://h/a@b", "https://h/a@b"),
        (#"https://u:p w"\x@h/{id}"#, "https://•••@h/{id}"),
        (#"{"url": "https://h", "mail": "a@b"}"#, #"{"url": "https://h", "mail": "a@b"}"#),
        // Form fields
        ("user=a+b&pw=p%2Bq&x=1", "user=a+b&pw=•••&x=1"),
        ("password=", "password=•••"),
        ("a=1&user[password]=p", "a=1&user[password]=•••"),
        // A form inside a JSON string, such as a URL's query
        (#"{"next":"https://h/?token=p&x=1"}"#, #"{"next":"https://h/?token=•••&x=1"}"#),
        // Credentials under a name that does not tell (RFC 6750, section 2.1; RFC 7617, section 2)
        (#"{"said":"Bearer a.b-c~d/e+f=="}"#, #"{"said":"Bearer •••"}"#),
        ("the bearer abcd9, Basic YWRhOnB3", "the bearer •••, Basic •••"),
        (
            "The Basic plan, basic authentication. A Bearer. Forbearer abcd",
            "The Basic plan, basic authentication. A Bearer. Forbearer abcd"
        ),
        // Nothing to hide
        (
            #"{"title":"the password is in the drawer"}"#,
            #"{"title":"the password is in the drawer"}"#
        ),
        ("", ""),
    ])
    func secretMembersAndFieldsAreMasked(text: String, masked: String) {
        #expect(Secrets.masked(text) == masked)
    }

    // A server must not hold a caller up: this took minutes when it was quadratic.
    @Test(.timeLimit(.minutes(5))) func aLongTextIsMaskedInLinearTime() {
        // Of those with a name in each, fewer: to judge one takes longer than to find it.
        for (text, count) in [
            ("x", 200_000), ("\"", 200_000), ("\\", 200_000), ("[", 200_000), ("\"a", 200_000),
            ("a=", 20_000), ("token=p&", 20_000), ("a=#a", 20_000), ("://", 100_000),
            ("basic ", 50_000), ("Bearer a", 50_000),
        ] {
            let long = String(repeating: text, count: count)
            #expect(!Secrets.masked(long).contains("token=p"))
        }
    }

    @Test(arguments: [
        ("https://h/p?q=1#f", "https://h/p?q=1#f"),
        ("https://user:pw1@h:8443/p", "https://•••@h:8443/p"),
        ("https://user@h/p", "https://•••@h/p"),
        ("https://h/p?access_token=abc&x=1", "https://h/p?access_token=•••&x=1"),
        ("https://h/p?x=1&key=AIzaSy", "https://h/p?x=1&key=•••"),
        ("https://h/p?sig=a%26b&x=1#f", "https://h/p?sig=•••&x=1#f"),
        // What follows the last item may belong to it.
        ("https://h/p?x=1&sig=a%26b#f", "https://h/p?x=1&sig=•••"),
        ("https://h/p?page=2#access_token=abc", "https://h/p?page=2#access_token=•••"),
        ("https://h/p?sig=a%26b#access_token=abc", "https://h/p?sig=•••#access_token=•••"),
        ("https://h/@me?x=a@b", "https://h/@me?x=a@b"),
        ("https://[::1]:8443/@me", "https://[::1]:8443/@me"),
        ("https://h:/@me", "https://h:/@me"),
        ("mailto:a@b?token=p", "•••@b?token=•••"),
        ("//u:p@h/x", "//•••@h/x"),
        ("http:/u:p@h/x", "•••@h/x"),
    ])
    func urlsLoseTheirSecrets(url: String, masked: String) throws {
        #expect(try #require(URL(string: url)).maskingSecrets == masked)
    }

    @Test(arguments: [
        ("http://u:p/x@h/", "http://•••@h/"), ("u:p//x@h?token=y", "•••@h?token=•••"),
        ("http://u:1#p@h", "http://u:1#p@h"), ("http://u:a#p@h", "http://•••@h"),
        ("https://h/{id}/@me", "https://h/{id}/@me"), ("no URL", "no URL"),
    ])
    func textsThatAreNoURLsLoseWhatMayBeAPassword(text: String, masked: String) {
        #expect(Secrets.maskedURL(text) == masked)
    }

    @Test(arguments: [
        ("https://u:p@h/a/b?token=x#f", "https://•••@h/a/b"),
        ("https://h/a#f?x", "https://h/a"),
        ("https://h?x", "https://h"),
    ])
    func aURLWithoutItsQuery(url: String, plain: String) throws {
        #expect(try #require(URL(string: url)).withoutQuery == plain)
    }

    @Test func whatARequestCarriedIsMaskedWhereAServerEchoesIt() throws {
        var urlRequest = URLRequest(url: URL(string: "http://h")!)
        try urlRequest.setHeader("Authorization", "Bearer abc123")
        try urlRequest.setHeader("X-Tenant", "acme99")
        try urlRequest.setHeader("X-Trace", "trace1")
        var request = HTTPRequest(urlRequest)
        request.options.secretHeaders = ["x-tenant"]
        let echo = "got Bearer abc123, again abc123, acme99, trace1"
        let masked = Secrets.masked(echo, valuesOf: request)
        #expect(!masked.contains("abc123"))
        #expect(!masked.contains("acme99"))
        #expect(masked.contains("trace1"))
    }

    // An excerpt is cut before the request's secrets are known.
    @Test(arguments: [
        ("token is Bearer abc1…", "token is •••…"), ("token is abc123456…", "token is •••…"),
        ("token is abc12345678…", "token is •••…"), ("token is abc…", "token is abc…"),
        ("abc1", "abc1"), ("…", "…"),
    ])
    func aSecretThatIsCutIsMaskedToo(text: String, masked: String) throws {
        var urlRequest = URLRequest(url: URL(string: "http://h")!)
        try urlRequest.setHeader("Authorization", "Bearer abc12345678")
        // Four bytes, but one character.
        try urlRequest.setHeader("X-Api-Key", "\u{1F600}")
        #expect(Secrets.masked(text, valuesOf: HTTPRequest(urlRequest)) == masked)
    }
}
