use proptest::prelude::*;

use super::*;

/// What is printed, and the errors in it as they are told.
const SAMPLES: &[(&str, &[&str])] = &[
    // PHP: pages, with and without tags.
    (
        "<br />\n<b>Warning</b>:  Undefined variable $x in <b>/var/www/cart.php</b> on line <b>12</b><br />\n",
        &["PHP Warning: Undefined variable $x in /var/www/cart.php line 12"],
    ),
    (
        "<br />\n<b>Notice</b>:  Undefined index: id in <b>C:\\wamp\\www\\new\\a.php</b> on line <b>3</b><br />\n\
         <br />\n<b>Deprecated</b>:  mysql_connect(): The mysql extension is deprecated in <b>/a/db.php</b> on line <b>7</b><br />",
        &[
            "PHP Notice: Undefined index: id in C:\\wamp\\www\\new\\a.php line 3",
            "PHP Deprecated: mysql_connect(): The mysql extension is deprecated in /a/db.php line 7",
        ],
    ),
    (
        "\nParse error: syntax error, unexpected '}' in /var/www/a.php on line 40\n",
        &["PHP Parse error: syntax error, unexpected '…' in /var/www/a.php line 40"],
    ),
    (
        "<b>Fatal error</b>:  Uncaught Error: Call to undefined function foo() in /var/www/a.php:3\nStack trace:\n#0 /var/www/index.php(9): require()\n#1 {main}\n  thrown in <b>/var/www/a.php</b> on line <b>3</b><br />",
        &["PHP Uncaught Error: Call to undefined function foo() in /var/www/a.php line 3"],
    ),
    (
        "Fatal error: Uncaught exception 'PDOException' with message 'could not find driver' in /db.php:5\nStack trace:\n#0 {main}\n  thrown in /db.php on line 5",
        &["PHP Uncaught PDOException: could not find driver in /db.php line 5"],
    ),
    (
        "<input value=\"<br /><b>Warning</b>:  Trying to access array offset on value of type null in <b>/f.php</b> on line <b>2</b><br />\">",
        &["PHP Warning: Trying to access array offset on value of type null in /f.php line 2"],
    ),
    (
        "<b>Warning</b>:  Division by zero in <b>/a.php(3) : eval()'d code</b> on line <b>1</b>",
        &["PHP Warning: Division by zero in /a.php(3) : eval()'d code line 1"],
    ),
    (
        "<tr><th align='left' bgcolor='#f57900' colspan=\"5\"><span style='background-color: #cc0000; color: #fce94f; font-size: x-large;'>( ! )</span> Warning: Undefined variable $y in /var/www/html/x.php on line <i>8</i></th></tr>",
        &["PHP Warning: Undefined variable $y in /var/www/html/x.php line 8"],
    ),
    // PHP: logs.
    (
        "[15-Nov-2026 20:31:07 UTC] PHP Warning:  Undefined array key 17 in /srv/app/cart.php on line 9",
        &["PHP Warning: Undefined array key # in /srv/app/cart.php line 9"],
    ),
    (
        "[Sun Nov 15 20:31:07.1 2026] [php:error] [pid 9] [client 10.0.0.1:5] PHP Fatal error:  Uncaught TypeError: f(): Argument #1 ($a) must be of type int, string given, called in /w/a.php on line 3 and defined in /w/b.php:7\\nStack trace:\\n#0 /w/a.php(3): f('x')\\n#1 {main}\\n  thrown in /w/b.php on line 7, referer: http://x/",
        &[
            "PHP Uncaught TypeError: f(): Argument #1 ($a) must be of type int, string given in /w/b.php line 7",
        ],
    ),
    (
        "NOTICE: PHP message: PHP Parse error:  syntax error, unexpected token \";\" in /w/a.php on line 2",
        &["PHP Parse error: syntax error, unexpected token \"…\" in /w/a.php line 2"],
    ),
    // PHP: frameworks.
    (
        r#"[2026-11-15 20:31:07] local.ERROR: Undefined variable $x {"exception":"[object] (ErrorException(code: 0): Undefined variable $x at /w/routes/web.php:20)"#,
        &["PHP ErrorException: Undefined variable $x in /w/routes/web.php line 20"],
    ),
    (
        r#"{"message": "Undefined variable $x", "exception": "ErrorException", "file": "\/w\/routes\/web.php", "line": 20, "trace": [{"file": "\/w\/a.php", "line": 3}]}"#,
        &["PHP ErrorException: Undefined variable $x in /w/routes/web.php line 20"],
    ),
    (
        "</html>\n<!--\nErrorException: Undefined variable $x in file /w/routes/web.php on line 20\n\n#0 /w/vendor/a.php(3): handle()\n-->",
        &["PHP ErrorException: Undefined variable $x in /w/routes/web.php line 20"],
    ),
    (
        "request.CRITICAL: Uncaught PHP Exception App\\Oops: \"No route for 17\" at /w/src/Kernel.php line 33 {}",
        &["PHP Uncaught App\\Oops: No route for # in /w/src/Kernel.php line 33"],
    ),
    (
        "<h2><span>1/1</span> FatalErrorException in <a title=\"/w/FooController.php line 26\">FooController.php line 26</a>: Compile Error: Cannot redeclare</h2>",
        &["PHP FatalErrorException: Compile Error: Cannot redeclare in FooController.php line 26"],
    ),
    (
        r#"{"ok":false,"error":"Warning: Undefined variable $x in \/w\/api.php on line 4"}"#,
        &["PHP Warning: Undefined variable $x in /w/api.php line 4"],
    ),
    // Python.
    (
        "Traceback (most recent call last):\n  File \"/app/main.py\", line 3, in <module>\n    run()\n  File \"/app/shop.py\", line 12, in run\n    return d['total']\n           ~^^^^^^^^^\nKeyError: 'total'\n",
        &["Python KeyError: 'total' in /app/shop.py line 12"],
    ),
    (
        "[Sun Nov 15 20:31:07 2026] [wsgi:error] [pid 7] Traceback (most recent call last):\n[Sun Nov 15 20:31:07 2026] [wsgi:error] [pid 7]   File \"/app/v.py\", line 5, in view\n[Sun Nov 15 20:31:07 2026] [wsgi:error] [pid 7]     x = int(s)\n[Sun Nov 15 20:31:07 2026] [wsgi:error] [pid 7] ValueError: invalid literal for int() with base 10: '1 2'",
        &["Python ValueError: invalid literal for int() with base #: '…' in /app/v.py line 5"],
    ),
    (
        "<textarea id=\"traceback_area\">Environment:\n\n\nTraceback (most recent call last):\n  File &quot;/venv/django/core/handlers/exception.py&quot;, line 55, in inner\n    response = get_response(request)\n               ^^^^^^^^^\n  File &quot;/app/views.py&quot;, line 12, in index\n    return x\n\nException Type: NameError at /\nException Value: name &#x27;x&#x27; is not defined\n</textarea>",
        &["Python NameError: name 'x' is not defined in /app/views.py line 12"],
    ),
    (
        "<h2 class=\"traceback\">Traceback <em>(most recent call last)</em></h2>\n<div><h4>File <cite class=\"filename\">\"/app/a.py\"</cite>,\n line <em class=\"line\">9</em></h4></div>\n<!--\n\nTraceback (most recent call last):\n  File \"/app/a.py\", line 9, in index\n    1/0\nZeroDivisionError: division by zero\n\n\n-->",
        &["Python ZeroDivisionError: division by zero in /app/a.py line 9"],
    ),
    (
        r#"{"detail":"Traceback (most recent call last):\n  File \"/app/q.py\", line 2, in <module>\n    cur.execute(q)\nsqlite3.OperationalError: no such table: users\n"}"#,
        &["Python sqlite3.OperationalError: no such table: users in /app/q.py line 2"],
    ),
    (
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    x\nKeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"b.py\", line 2, in g\n    y\nshop.errors.NotFound\n",
        &["Python KeyError: 'a' in a.py line 1", "Python shop.errors.NotFound in b.py line 2"],
    ),
    // Java.
    (
        "Exception in thread \"main\" java.lang.NullPointerException: Cannot invoke \"String.length()\" because \"<local1>\" is null\n\tat com.shop.Cart.total(Cart.java:12)\n\tat com.shop.Main.main(Main.java:5)\n",
        &[
            "Java java.lang.NullPointerException: Cannot invoke \"…\" because \"…\" is null in com/shop/Cart.java line 12",
        ],
    ),
    (
        "org.springframework.web.util.NestedServletException: Request processing failed\n\tat org.springframework.web.servlet.FrameworkServlet.processRequest(FrameworkServlet.java:1014)\n\tat java.base/java.lang.Thread.run(Thread.java:833)\nCaused by: java.lang.IllegalStateException: no cart 17\n\tat jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)\n\tat com.shop.CartController.<init>(CartController.java:40)\n\t... 60 more\n",
        &["Java java.lang.IllegalStateException: no cart # in com/shop/CartController.java line 40"],
    ),
    (
        "<h1>HTTP Status 500 – Internal Server Error</h1><p><b>Exception</b></p><pre>org.apache.jasper.JasperException: An exception occurred\n\torg.apache.jasper.servlet.JspServletWrapper.handleJspException(JspServletWrapper.java:560)\n\tjavax.servlet.http.HttpServlet.service(HttpServlet.java:742)\n</pre><p><b>Root Cause</b></p><pre>java.lang.ArithmeticException: &#47; by zero\n\torg.apache.jsp.cart_jsp._jspService(cart_jsp.java:120)\n</pre>",
        &["Java java.lang.ArithmeticException: / by zero in org/apache/jsp/cart_jsp.java line 120"],
    ),
    (
        r#"{"timestamp":"2026-11-15T20:31:07","status":500,"error":"Internal Server Error","trace":"java.lang.RuntimeException: boom\n\tat com.shop.Api.get(Api.kt:7)\n\tat com.shop.Api.main(Api.kt:3)\n","path":"/x"}"#,
        &["Java java.lang.RuntimeException: boom in com/shop/Api.kt line 7"],
    ),
    (
        "<h1>Whitelabel Error Page</h1><p>This application has no explicit mapping for /error.</p><div>There was an unexpected error (type=Internal Server Error, status=500).</div>",
        &["Java unexpected error: Internal Server Error"],
    ),
    // Ruby.
    (
        "app.rb:12:in `total': undefined method `price' for nil:NilClass (NoMethodError)\n\tfrom app.rb:20:in `<main>'\n",
        &["Ruby NoMethodError: undefined method `price' for nil:NilClass in app.rb line 12"],
    ),
    (
        "app.rb:3:in 'Integer#/': divided by 0 (ZeroDivisionError)\n\tfrom app.rb:3:in '<main>'",
        &["Ruby ZeroDivisionError: divided by # in app.rb line 3"],
    ),
    (
        "F, [2026-11-15T20:31:07.1 #7] FATAL -- :   \nF, [2026-11-15T20:31:07.1 #7] FATAL -- : [ab-12] NoMethodError (undefined method `name' for nil:NilClass):\nF, [2026-11-15T20:31:07.1 #7] FATAL -- : [ab-12]   \nF, [2026-11-15T20:31:07.1 #7] FATAL -- : [ab-12] app/controllers/cart_controller.rb:12:in `show'\nF, [2026-11-15T20:31:07.1 #7] FATAL -- : [ab-12] app/models/cart.rb:3:in `x'",
        &[
            "Ruby NoMethodError: undefined method `name' for nil:NilClass in app/controllers/cart_controller.rb line 12",
        ],
    ),
    (
        "<header role=\"banner\">\n  <h1>\n    ActiveRecord::RecordNotFound\n      in BooksController#show\n  </h1>\n</header>\n<h2>Couldn&#39;t find Book</h2><div>Extracted source (around line <strong>#8</strong>):</div><code><a class=\"trace-frames\" href=\"#\">app/controllers/books_controller.rb:8:in `show&#39;</a></code>",
        &["Ruby ActiveRecord::RecordNotFound in app/controllers/books_controller.rb line 8"],
    ),
    (
        "NameError: undefined local variable or method `foo' for main\n\t/app/server.rb:4:in `block in <main>'\n\t/gems/sinatra/base.rb:1:in `call'",
        &["Ruby NameError: undefined local variable or method `foo' for main in /app/server.rb line 4"],
    ),
    // Node.
    (
        "TypeError: Cannot read properties of undefined (reading 'x')\n    at total (/app/cart.js:12:34)\n    at Object.<anonymous> (/app/index.js:3:1)\n    at node:internal/main/run_main_module:22:47",
        &["Node.js TypeError: Cannot read properties of undefined (reading 'x') in /app/cart.js line 12"],
    ),
    (
        "<pre>ReferenceError: foo is not defined<br> &nbsp; &nbsp;at /app/index.js:7:3<br> &nbsp; &nbsp;at Layer.handle (/app/node_modules/express/lib/router/layer.js:95:5)</pre>",
        &["Node.js ReferenceError: foo is not defined in /app/index.js line 7"],
    ),
    (
        "Error: ENOENT: no such file or directory, open 'a b'\n    at Object.openSync (node:fs:601:3)\n    at file:///app/load.mjs:2:1\n",
        &["Node.js Error: ENOENT: no such file or directory, open '…' in /app/load.mjs line 2"],
    ),
    (
        r#"{"message":"boom","stack":"Error: boom\n    at get (/app/src/api.ts:9:11)\n    at next (/app/src/b.ts:1:1)"}"#,
        &["Node.js Error: boom in /app/src/api.ts line 9"],
    ),
    (
        "/app/x.js:2\n  throw new CartError('empty');\n  ^\n\nCartError [ERR_CART]: empty\n    at Cart.pay (/app/x.js:2:9)\n",
        &["Node.js CartError: empty in /app/x.js line 2"],
    ),
    // Go.
    (
        "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:8 +0x1d\nexit status 2\n",
        &["Go panic: runtime error: index out of range [#] with length # in /app/main.go line 8"],
    ),
    (
        "2026/11/15 20:31:07 http: panic serving 127.0.0.1:5000: runtime error: invalid memory address or nil pointer dereference\ngoroutine 7 [running]:\nnet/http.(*conn).serve.func1()\n\t/usr/local/go/src/net/http/server.go:1868 +0xb0\npanic({0x100, 0x200})\n\t/usr/local/go/src/runtime/panic.go:920 +0x26c\nmain.cart(0x1)\n\t/app/cart.go:31 +0x20\n",
        &[
            "Go panic: runtime error: invalid memory address or nil pointer dereference in /app/cart.go line 31",
        ],
    ),
    (
        "2026/11/15 20:31:07 [Recovery] 2026/11/15 - 20:31:07 panic recovered:\nGET / HTTP/1.1\nHost: x\n\nruntime error: integer divide by zero\n/usr/local/go/src/runtime/panic.go:239 (0x43)\n\tpanicdivide: panic(divideError)\n/app/main.go:14 (0x7a)\n\tmain.func1: x / y\n",
        &["Go panic: runtime error: integer divide by zero in /app/main.go line 14"],
    ),
    // .NET.
    (
        "System.NullReferenceException: Object reference not set to an instance of an object.\n   at Shop.Cart.Total(Int32 n) in C:\\src\\Cart.cs:line 12\n   at Shop.Program.Main() in C:\\src\\Program.cs:line 3",
        &[
            ".NET System.NullReferenceException: Object reference not set to an instance of an object. in C:\\src\\Cart.cs line 12",
        ],
    ),
    (
        "<span><H1>Server Error in '/' Application.<hr width=100% size=1 color=silver></H1><h2> <i>Attempted to divide by zero.</i> </h2></span><b> Exception Details: </b>System.DivideByZeroException: Attempted to divide by zero.<br><br><b>Source Error:</b> <br><br><b> Source File: </b> c:\\app\\Default.aspx.cs<b> &nbsp;&nbsp; Line: </b> 12<br><pre>\n\n[DivideByZeroException: Attempted to divide by zero.]\n   Default.Page_Load() in c:\\app\\Default.aspx.cs:12\n</pre>",
        &[
            ".NET System.DivideByZeroException: Attempted to divide by zero. in c:\\app\\Default.aspx.cs line 12",
        ],
    ),
    (
        "<h1>Server Error in '/shop' Application.</h1><h2><i>Runtime Error</i></h2>",
        &[".NET Server Error in Application"],
    ),
    (
        "fail: Microsoft.AspNetCore[1]\n      An unhandled exception has occurred while executing the request.\n      System.InvalidOperationException: Sequence contains no elements\n         at System.Linq.ThrowHelper.ThrowNoElementsException()\n         at Shop.Api.Get() in /src/Api.cs:line 40\n",
        &[".NET System.InvalidOperationException: Sequence contains no elements in /src/Api.cs line 40"],
    ),
    // Databases.
    (
        "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near ''' at line 1",
        &["SQL You have an error in your SQL syntax"],
    ),
    ("Unknown column 'pric' in 'field list'", &["SQL Unknown column 'pric' in '…'"]),
    ("<p>Table &#039;shop.user&#039; doesn&#039;t exist</p>", &["SQL Table 'shop.user' doesn't exist"]),
    ("Duplicate entry 'bob@x.org' for key 'email'", &["SQL Duplicate entry '…' for key 'email'"]),
    (
        "SQLSTATE[42S02]: Base table or view not found: 1146 Table 'shop.x' doesn't exist (SQL: select * from x where id = 3)",
        &["SQL SQLSTATE[42S02]: Base table or view not found: # Table 'shop.x' doesn't exist"],
    ),
    (
        "PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000]: General error: 1 no such table: books in /w/db.php:9\nStack trace:\n#0 {main}\n  thrown in /w/db.php on line 9",
        &[
            "PHP Uncaught PDOException: SQLSTATE[HY000]: General error: # no such table: books in /w/db.php line 9",
        ],
    ),
    (
        "2026-11-15 20:31:07 UTC [7] ERROR:  relation \"cart\" does not exist at character 15",
        &["SQL relation \"cart\" does not exist"],
    ),
    (
        "ERROR:  duplicate key value violates unique constraint \"books_pkey\"",
        &["SQL duplicate key value violates unique constraint \"books_pkey\""],
    ),
    (r#"{"error":"SQLITE_ERROR: no such table: users"}"#, &["SQL SQLITE_ERROR: no such table: users"]),
    ("near line 1: no such column: pric", &["SQL no such column: pric"]),
    ("ORA-00942: table or view does not exist", &["SQL ORA-00942: table or view does not exist"]),
    (
        "Unclosed quotation mark after the character string ''.",
        &["SQL Unclosed quotation mark after the character string"],
    ),
    (
        "[Microsoft][ODBC SQL Server Driver][SQL Server]Invalid column name 'pric'.",
        &["SQL Invalid column name 'pric'."],
    ),
];

/// Prose, code and data that are no errors.
const CLEAN: &[&str] = &[
    "",
    "An error occurred. Please try again.",
    "<b>Warning</b>: this product contains nuts.",
    "Warning: shipping may be late in December on line 2 of your order",
    "In PHP, a Warning does not stop the script; a Fatal error does.",
    "Fatal error: could not play the video",
    "The message says in which file and on line which number the error is.",
    "Notice: our shop on line is closed",
    "Learn to read a Traceback (most recent call last): it lists the calls.",
    "java.lang.NullPointerException is thrown when a reference is null.",
    "See Cart.java:12 for the details.",
    "We use app.js:1 and main.ts:2 as names. TypeError: is a class of errors.",
    "<script>var a=b?c.ts:d;throw new TypeError('x')</script>",
    "try { go(); } catch (e) { console.error('Error: ' + e.message + ' at line ' + e.line); }",
    "Every goroutine 1 has a stack; panic: is printed first.",
    "Call me at 555-ORA-12345 for FLORA-12345: roses",
    "The page doesn't exist. No such table is free tonight.",
    "ERROR:  please fill in all fields",
    r#"{"error":"Internal Server Error","status":500,"exception":"none","message":"x"}"#,
    "Internal Server Error. Server Error in the kitchen.",
    "config.rb:12 is where the port is set",
    "SQLSTATE codes have five characters. Use SQLITE_OK to check.",
    "Meet the Error family: at /home/index.js:12:3 they met.",
    "The film Exception in Paris: at 8:line 2",
];

fn told(text: &str) -> Vec<String> {
    find_errors(text.as_bytes()).iter().map(ToString::to_string).collect()
}

#[test]
fn errors_are_found() {
    for (text, errors) in SAMPLES {
        assert_eq!(told(text), *errors, "{text}");
    }
}

#[test]
fn errors_are_found_in_any_wrapping() {
    for (text, _) in SAMPLES {
        let plain = told(text);
        // JSON is unpacked only where it is the whole.
        if !text.starts_with('{') {
            let page = format!("<html><body><p>Hello</p>\n{text}\n<p>Bye</p></body></html>");
            assert_eq!(told(&page), plain, "in a page: {text}");
            assert_eq!(told(&text.replace('\n', "\r\n")), plain, "with other line ends: {text}");
            let json = serde_json::to_string(&serde_json::json!({ "ok": false, "html": text })).unwrap();
            assert_eq!(told(&json), plain, "in JSON: {json}");
        }
        assert_eq!(told(&format!("{text}\n{text}")), plain, "twice: {text}");
    }
}

#[test]
fn prose_is_no_error() {
    for text in CLEAN {
        assert_eq!(told(text), Vec::<String>::new(), "{text}");
        assert_eq!(told(&format!("<p>{text}</p>\n<p>{text}</p>")), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn what_was_there_before_is_not_new() {
    let warning = |what: &str, file: &str, line: u32| format!("Warning: {what} in {file} on line {line}\n");
    let before = warning("Undefined variable $x", "/v1/cart.php", 12);
    let said = |actual: &str| -> Vec<String> {
        new_errors(before.as_bytes(), actual.as_bytes()).into_iter().map(|d| d.to_string()).collect()
    };
    assert!(said(&before).is_empty() && said("").is_empty());
    assert!(said(&warning("Undefined variable $x", "/v2/cart.php", 14)).is_empty(), "it has moved");
    assert_eq!(
        said(&warning("Undefined variable $y", "/v1/cart.php", 12)),
        ["PHP Warning: Undefined variable $y in /v1/cart.php line 12"]
    );
    let both = warning("Undefined variable $x", "/v1/cart.php", 3) + &before;
    assert_eq!(said(&both), ["PHP Warning: Undefined variable $x in /v1/cart.php line 3"]);
}

#[test]
fn a_page_of_nothing_but_errors_is_read_in_time() {
    let long =
        "Warning: a in /b on line x Traceback (most recent call last)\n\tat a.b(C.java:1)\n".repeat(30_000);
    find_errors(long.as_bytes());
    find_errors("on line ".repeat(300_000).as_bytes());
    find_errors("Traceback (most recent call last)\n".repeat(50_000).as_bytes());
    find_errors("  thrown in a on line 1\n".repeat(50_000).as_bytes());
    find_errors(&b"<b".repeat(500_000));
    // What cannot be read in time is not read to its end; each of these took half a minute.
    find_errors("on line ".repeat(6_000_000).as_bytes());
    find_errors("    at f (/srv/a.js:1:2)\n".repeat(2_000_000).as_bytes());
    find_errors(("<".repeat(50_000_000) + " on line ").as_bytes());
}

#[test]
fn an_error_at_the_end_of_a_long_page_is_found() {
    let row = "<tr><td><a href='/x'>a line of text</a></td><td>12</td></tr>\n";
    let page =
        row.repeat(300_000) + "<b>Warning</b>:  Undefined variable $x in <b>/a.php</b> on line <b>3</b>";
    assert_eq!(find_errors(page.as_bytes()).len(), 1);
}

fn piece() -> impl Strategy<Value = String> {
    let samples: Vec<String> = SAMPLES.iter().map(|(text, _)| (*text).to_owned()).collect();
    let cut = (prop::sample::select(samples), any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let cut = cut.prop_map(|(text, a, b)| {
        let (a, b) = (a.index(text.len()), b.index(text.len()));
        let (a, b) = (text.floor_char_boundary(a.min(b)), text.floor_char_boundary(a.max(b)));
        text[a..b].to_owned()
    });
    prop_oneof![3 => cut, 1 => "\\PC{0,10}", 1 => "[<&;#'\"\\\\nu/{}\\n]{0,8}"]
}

proptest! {
    #[test]
    fn any_bytes_are_read(text in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(new_errors(&text, &text).is_empty());
    }

    #[test]
    fn pieces_of_errors_are_read(a in prop::collection::vec(piece(), 0..6), b in prop::collection::vec(piece(), 0..6)) {
        let (a, b) = (a.concat(), b.concat());
        prop_assert!(new_errors(a.as_bytes(), a.as_bytes()).is_empty());
        // What is new is among what is there.
        prop_assert!(new_errors(a.as_bytes(), b.as_bytes()).len() <= find_errors(b.as_bytes()).len());
    }
}

/// Catches: a line of the source in a traceback that writes HTML is taken for the exception.
#[test]
fn what_looks_like_tags_in_a_log_is_text() {
    let log = b"Traceback (most recent call last):\n  File \"/app/notes.py\", line 55, in home\n    \
        self.page(200, f\"<h1>Notes</h1>\")\nBrokenPipeError: [Errno 32] Broken pipe\n";
    let told: Vec<String> = find_logged_errors(log).iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("Python BrokenPipeError"), "{told:?}");
}
