import { describe, expect, it, test } from 'vitest';
import { checkExpression } from '../../src/expression/check-expression.ts';
import { REFUSES } from './cases/refuses.ts';
import { CASE_SCHEME } from './cases/scheme.ts';

/** Common mistakes in expressions, with the message and the hint that they get. */
const SLIPS: readonly (readonly [text: string, message: string, hint: string | undefined])[] = [
  [
    'http.host',
    'http.host is a string, which is not a condition by itself',
    'compare it, as in http.host eq "…"',
  ],
  [
    'not http.host',
    'http.host is a string, which is not a condition by itself',
    'compare it, as in http.host eq "…"',
  ],
  [
    'ip.src and ssl',
    'ip.src is an address, which is not a condition by itself',
    'compare it, as in ip.src in {192.0.2.0/24}',
  ],
  [
    'http.host "a"',
    'expected an operator after http.host, found `"a"`',
    'compare it, as in http.host eq "…"',
  ],
  ['http.host is "a"', 'expected an operator after http.host, found `is`', 'did you mean eq?'],
  [
    'http.host === "a"',
    'http.host is compared with a string in double quotes, not `=`',
    'equality is written eq or ==',
  ],
  [
    'http.host eq',
    'a value is missing: http.host is compared with a string in double quotes',
    'the expression ends after `eq`: a value has to follow',
  ],
  [
    'ip.src in {192.0.2.0/33}',
    '/33 is too long for an IPv4 network',
    'the number after the slash is at most 32; an address alone has no slash',
  ],
  [
    'http.host eq 5',
    'http.host is compared with a string in double quotes, not `5`',
    'put text in quotes: "5"',
  ],
  [
    'http.host eq a',
    'http.host is compared with a string in double quotes, not `a`',
    'put text in quotes: "a"',
  ],
  [
    'http.host eq ab',
    'http.host is compared with a string in double quotes, not `ab`',
    'put text in quotes: "ab"',
  ],
  [
    'http.host eq example.com',
    'http.host is compared with a string in double quotes, not `example.com`',
    'put text in quotes: "example.com"',
  ],
  [
    "http.host eq 'a'",
    "http.host is compared with a string in double quotes, not `'a'`",
    'texts are written in double quotes, as in "text"',
  ],
  [
    'http.host eq ("a" or "b")',
    'http.host is compared with a string in double quotes, not `(`',
    'several values stand in a set, as in http.host in {…}, or in comparisons joined with `or`',
  ],
  [
    'http.host contains {"a" "b"}',
    'http.host is compared with a string in double quotes, not `{`',
    'several values stand in a set, as in http.host in {…}, or in comparisons joined with `or`',
  ],
  [
    'http.host matches /a/',
    'http.host is matched with a regular expression in double quotes, not `/a/`',
    'put text in quotes: "/a/"',
  ],
  [
    'http.host wildcard *.a',
    'http.host is matched with a pattern in double quotes, not `*.a`',
    'put text in quotes: "*.a"',
  ],
  [
    'http.host in "a"',
    'http.host is looked up in a set in braces, not `"a"`',
    'a set is written in braces: `in {"a"}`; a list of the account is written without quotes: `in $a`',
  ],
  [
    'http.host in ["a"]',
    'http.host is looked up in a set in braces, not `[`',
    'a set is written in braces, with spaces between its items: `in {… …}`',
  ],
  [
    'http.host in {a b}',
    'http.host is looked up in a set of strings in double quotes, not `a`',
    'put text in quotes: "a"',
  ],
  [
    'http.host in {"a", "b"}',
    'items of a set are separated by spaces, not commas',
    'separate them by spaces',
  ],
  [
    'cf.waf.score &lt; 10',
    '`&lt;` is HTML, and not `<`',
    'write `<`; the text was probably copied from a web page',
  ],
  [
    'ssl &amp;&amp; ssl',
    '`&amp;&amp;` is HTML, and not `&&`',
    'write `&&`; the text was probably copied from a web page',
  ],
  [
    'http.host eq &quot;a&quot;',
    '`&quot;` is HTML, and not `"`',
    'write `"`; the text was probably copied from a web page',
  ],
  [
    'ip.src in "office"',
    'ip.src is looked up in a set in braces, not `"office"`',
    'a list of the account is written without quotes: `in $office`',
  ],
  [
    'http.user_agent contains "a\\r\\n"',
    '`\\r\\n` means nothing in a text: characters that cannot be seen are written by their number',
    'write `\\x0d\\x0a`; only regular expressions know `\\r\\n`',
  ],
  ['http.host eq ip.src', 'http.host is a string, and ip.src an address', 'both have to be of one kind'],
  ['http.host eq true', 'http.host is a string, and true a condition', 'both have to be of one kind'],
  [
    'http.host contains "\\d"',
    'a backslash in front of `d` means nothing in a text',
    'in a text a backslash is written \\\\; a regular expression comes after matches, as in matches r"\\d"',
  ],
  [
    'ip.src eq "192.0.2.1"',
    'ip.src is compared with an address, not `"192.0.2.1"`',
    'write the address without quotes',
  ],
  [
    'ip.src eq 192.0.2',
    'ip.src is compared with an address, not `192.0.2`',
    'an IPv4 address is four numbers from 0 to 255, such as 192.0.2.1; an IPv6 address has colons, such as 2001:db8::1',
  ],
  [
    'ip.src contains "192"',
    'contains cannot compare ip.src, which is an address',
    'test it otherwise, as in ip.src in {192.0.2.0/24}',
  ],
  [
    'cf.waf.score lt "30"',
    'cf.waf.score is compared with a number, not `"30"`',
    'numbers are written without quotes: 30',
  ],
  ['cf.waf.score lt 30.5', 'unexpected `.5`', 'numbers are whole, and have no unit'],
  ['cf.waf.score lt ten', 'cf.waf.score is compared with a number, not `ten`', undefined],
  [
    'cf.waf.score eq 08',
    '`08` begins with 0 like an octal number, but is not one',
    'write the number without the 0',
  ],
  [
    'cf.waf.score lt 99999999999999999999',
    '`99999999999999999999` does not fit into a number of 64 bits',
    undefined,
  ],
  [
    'http.request.timestamp.sec gt "2026-01-01"',
    'http.request.timestamp.sec is compared with a number, not `"2026-01-01"`',
    'times are seconds since 1970, as in 1767225600',
  ],
  [
    'ssl eq 1',
    'ssl is a condition by itself, and nothing is compared with it',
    'write it alone, or with not in front of it',
  ],
  [
    'ssl contains "a"',
    'ssl is a condition by itself, and nothing is compared with it',
    'write it alone, or with not in front of it',
  ],
  [
    'http.request.headers eq "a"',
    'eq cannot compare http.request.headers, which is a map of lists of strings',
    'test it otherwise, as in any(http.request.headers["…"][*] eq "…")',
  ],
  [
    'http.request.headers["x"] eq "a"',
    'eq cannot compare http.request.headers["x"], which is a list of strings',
    'test it otherwise, as in any(http.request.headers["x"][*] eq "…")',
  ],
  [
    'http.request.headers[0] eq "a"',
    'the items of a map have names, not numbers such as [0]',
    'write the name, as in ["name"]',
  ],
  [
    'http.request.headers["x"]["y"] eq "a"',
    'the items of a list have numbers, not names such as ["y"]',
    'write [0] for the first item, or any(...[*] ...) for any of them',
  ],
  [
    'http.request.headers[x] eq "a"',
    'brackets take a name in double quotes, a number, or *, not `x]`',
    undefined,
  ],
  [
    'http.request.headers.x eq "a"',
    'there is no field http.request.headers.x',
    'write the name in brackets: http.request.headers["x"]',
  ],
  ['http.cookie["a"] eq "b"', 'a string has no items: ["a"] cannot follow it', undefined],
  [
    'http.request.headers["x"][*] eq "a"',
    'a condition with [*] is about each item, and not about the request',
    'wrap the part with [*] in any(...) or all(...)',
  ],
  [
    'any(http.request.headers["x"]) eq "a"',
    'any(...) takes a condition about each item, not a list of strings',
    'write it inside, as in any(http.request.headers["x"][*] eq "…")',
  ],
  [
    'any(http.request.headers["x"][*]) eq "a"',
    'any(...) takes a condition about each item, not a string',
    'write it inside, as in any(http.request.headers["x"][*] eq "…")',
  ],
  ['all(ssl)', 'all(...) takes a condition about each item of a list, not one about the request', undefined],
  ['starts_with(http.host)', 'starts_with takes 2 arguments', undefined],
  [
    'starts_with(http.host, a)',
    'the second argument of starts_with has to be a field, a function or a string in double quotes, not `a`',
    undefined,
  ],
  [
    'starts_with("a", http.host)',
    'the first argument of starts_with has to be a field or a function, not `"a"`',
    undefined,
  ],
  [
    `concat(${'"a", '.repeat(20)}http.host eq "a") eq "a"`,
    'argument 21 of concat has to be a string, not a condition',
    undefined,
  ],
  ['lower(http.host eq "a")', 'the first argument of lower has to be a string, not a condition', undefined],
  ['cidr6(ip.src, 129) eq 2001:db8::', 'the second argument of cidr6: must be between 1 and 128', undefined],
  [
    'regex_replace(http.host, http.host, "a") eq "b"',
    'the second argument of regex_replace has to be a string in double quotes, not `http.host`',
    undefined,
  ],
  [
    'contains(http.host, "a")',
    'there is no function contains',
    'contains is an operator, as in http.host contains "…"',
  ],
  [
    'http.host.ends_with("a")',
    'there is no function http.host.ends_with',
    'a function takes its field in parentheses: ends_with(http.host, …)',
  ],
  ['host eq "a"', 'there is no field host', 'did you mean http.host?'],
  [
    'http.host eq "a" or "b"',
    'a condition begins with a field or a function, not with `"b"`',
    'each comparison has its own field in front: repeat it, or list the values in one set, as in http.host in {"…" "…"}',
  ],
  [
    'cf.waf.score gt 20 and lt 30',
    'there is no field lt',
    'each comparison has its own field in front: repeat it, or list the values in one set, as in http.host in {"…" "…"}',
  ],
  [
    '"a" eq http.host',
    'a condition begins with a field or a function, not with `"a"`',
    'the field comes first, then the value, as in http.host eq "…"',
  ],
  [
    '30 gt cf.waf.score',
    'there is no field 30',
    'the field comes first, then the value, as in http.host eq "…"',
  ],
  [
    'http.host eq "a" and',
    'a condition is missing at the end',
    'the expression ends after `and`: a condition has to follow',
  ],
  ['http.host eq "a" ssl', 'unexpected `ssl`', 'join conditions with `and` or `or`'],
  ['http.host eq "a"; ssl', 'unexpected `;`', 'conditions are joined with `and` or `or`'],
  [
    'ip.src in $Office',
    'no list can be called $Office',
    'names of lists have lower-case letters, digits and underscores',
  ],
];

describe('messages and hints for common mistakes', () => {
  test.each(SLIPS)('%s', (text, message, hint) => {
    expect(checkExpression(text).findings[0]).toMatchObject({
      message,
      ...(hint === undefined ? {} : { hint }),
    });
  });
});

/** Messages of the service that are clear as they are, or that name what is wrong inside a pattern or a network. */
const OWN_WORDS =
  /^(?:regex parse error|wildcard contains|invalid wildcard|invalid raw string|incompatible range bounds|maximum nesting depth|invalid (?:address|length)|host part of|couldn't parse length|Compiled regex)/u;

it('checkExpression rewords the messages of the service, except those that are clear as they are', () => {
  const unexplained = REFUSES.filter(([text, , , , , message]) => {
    const [first] = checkExpression(text, { scheme: CASE_SCHEME }).findings;
    return first?.message === message && !OWN_WORDS.test(message);
  });
  expect(unexplained.map(([text, , , , , message]) => `${text}: ${message}`)).toEqual([]);
});
