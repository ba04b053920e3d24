// SPDX-License-Identifier: MIT

import Testing

@testable import HTTPMultipart

struct HeaderParametersInternalTests {
    @Test(arguments: [
        (#"form-data; name="a""#, ["name": "a"]),
        (#"form-data;name=a;filename=b.txt"#, ["name": "a", "filename": "b.txt"]),
        (#"form-data; filename="a;b.txt"; name="c=d""#, ["filename": "a;b.txt", "name": "c=d"]),
        (#"form-data; NAME="A""#, ["name": "A"]),
        (#"form-data; name="";"#, ["name": ""]),
        (#"form-data ; ; name="a" ; "#, ["name": "a"]),
        // Browsers write backslashes as they are, also the last one.
        (#"form-data; filename="C:\a\"; name="b""#, ["filename": #"C:\a\"#, "name": "b"]),
        (#"form-data; filename="a\\b""#, ["filename": #"a\\b"#]),
        // Older clients escape quotes.
        (#"form-data; filename="a\"b\".txt""#, ["filename": #"a"b".txt"#]),
        (#"form-data; filename=файл.txt"#, ["filename": "файл.txt"]),
        (#"form-data; boundary=a/b:c"#, ["boundary": "a/b:c"]),
    ])
    func parametersAreRead(text: String, parameters: [String: String]) {
        let header = HeaderParameters(Array(text.utf8)[...])
        #expect(header?.value == "form-data")
        #expect(header?.parameters == parameters)
    }

    @Test(arguments: [
        #"form-data; name="a"#, #"form-data; name="a"b"#, #"form-data; name"#, #"form-data; name="#,
        #"form-data; ="a""#, #"form-data; name=a b"#, #"form-data; name=a; NAME=b"#,
        #"form-data; na me="a""#, #"form-data; name=a"b""#,
    ])
    func brokenGrammarIsRefused(text: String) {
        #expect(HeaderParameters(Array(text.utf8)[...]) == nil)
    }
}
