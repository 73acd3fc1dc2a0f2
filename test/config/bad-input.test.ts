import { describe, expect, test } from 'vitest';

import { expectFindings } from './marked-files.ts';
import type { Case } from './marked-files.ts';

const ZONE = (rules: string, phase = 'http_request_firewall_custom'): string =>
  `zone: shop.example\nentrypoints:\n  ${phase}:\n    rules:\n${rules}`;

const YAML: readonly Case[] = [
  [
    'a text of its own lines that stands no further right than its key',
    ZONE('      - expression: |\n        ▶ssl and\n        http.host eq "a"\n        action: block\n'),
    [['yaml/syntax', 'a text over several lines stands further right than its key']],
  ],
  [
    'a comment inside of a text over several lines',
    ZONE(
      '      - ref: a\n        expression: ssl ▶# first\n          and http.host eq "a"\n        action: block\n',
    ),
    [['yaml/syntax', 'put the comment above the key']],
  ],
  [
    'a comma that is missing in braces',
    ZONE('      - {ref: ▶a expression: ssl, action: block}\n'),
    [['yaml/syntax', 'a comma is missing in front of the second key']],
  ],
  ...[
    ['a list', '{a: [x, y] ▶b: 1}'],
    ['a mapping', '{a: {x: y} ▶"b" : 1}'],
    ['a list in a list', '[{a: [x] ▶b: 1}]'],
  ].map(([what, value]): Case => [
    `a comma that is missing in braces behind ${what}`,
    ZONE(`      - ref: a\n        ratelimit: ${value}\n        action: block\n`),
    [['yaml/syntax', 'a comma is missing in front of it']],
  ]),
  [
    'a key behind a list that is closed, which belongs to no braces',
    ZONE('      - ref: a\n        description: [Bots] ▶are: blocked\n        action: block\n'),
    [['yaml/syntax', 'begins with `[` needs quotes']],
  ],
  [
    'a text with a comma in brackets, which begins with a quotation mark behind it',
    ZONE('      - {ref: a, action: block, expression: starts_with(http.request.uri.path, "/x"▶)}\n'),
    [['yaml/syntax', 'a comma or a bracket ends a text']],
  ],
  [
    'a text with brackets in a list',
    'zone: a.example\nlabels: { x: [http.request.headers▶["x-api-key"]] }\n',
    [['yaml/syntax', 'a comma or a bracket ends a text']],
  ],
  [
    'a set of an expression in braces, which the lines behind it do not follow',
    `${ZONE('      - {ref: a, expression: ip.src in ▶{192.0.2.1}, action: skip}\n      - {ref: b, action: log, expression: ssl}\n')}rulesets: []\n`,
    [['yaml/syntax', 'brackets inside needs quotes']],
  ],
  [
    'quotation marks of an expression inside those around it',
    ZONE('      - ref: a\n        expression: "http.host eq "▶a.example""\n        action: block\n'),
    [['yaml/syntax', 'with double quotes inside needs single quotes around all of it']],
  ],
  [
    'an apostrophe in single quotes',
    ZONE("      - ref: a\n        description: 'Don'▶t'\n        action: block\n"),
    [['yaml/syntax', "is written twice: ''"]],
  ],
  [
    'a text that begins with a word in brackets',
    ZONE('      - ref: a\n        description: [Bots] ▶are blocked\n        action: block\n'),
    [['yaml/syntax', 'begins with `[` needs quotes']],
  ],
  [
    'a text that begins as an item of a list does',
    ZONE('      - ref: a\n        description: ▶- old\n        action: block\n'),
    [['yaml/syntax', 'a list cannot begin in the line of its key; a text that begins with `-` needs quotes']],
  ],
  [
    'a key twice',
    ZONE('      - ref: a\n        action: block\n        expression: ssl\n        ▶expression: ssl\n'),
    [['yaml/duplicate-key', 'appears twice in this mapping; keep one of them']],
  ],
  [
    'a key twice, and what else is wrong',
    ZONE(
      '      - ref: a\n        action: ▶blok\n        expression: ▶http.hos eq "a"\n        ▶expression: ssl\n      - ▶ref: b\n        action: log\n',
    ),
    [
      ['schema/unknown-action', '`block`'],
      ['expression/unknown-field', 'http.host'],
      ['yaml/duplicate-key', 'keep one'],
      ['schema/missing-key', '`expression`'],
    ],
  ],
  [
    'a key twice where an item may begin, of which the rest is not known',
    ZONE('      - ref: a\n        action: log\n        ▶ref: b\n        expression: ssl\n'),
    [['yaml/duplicate-key', 'write `- ` in front of it']],
  ],
  [
    'fences of Markdown',
    '▶```yaml\nzone: a\nentrypoints: {}\n▶```\n',
    [
      ['yaml/syntax', 'a fence of Markdown; delete it'],
      ['yaml/syntax', 'a fence of Markdown; delete it'],
    ],
  ],
  [
    'a text between marks of other languages',
    ZONE('      - ref: a\n        action: block\n        expression: ▶<<EOT\n          ssl\n        EOT\n'),
    [['yaml/syntax', 'write `>-` after the key']],
  ],
  [
    'a tag below dots and a fence that are texts',
    ZONE(
      '      - ref: a\n        action: block\n        description: |\n          ```\n          ...\n        expression: ▶!ssl\n',
    ),
    [['yaml/unknown-tag', 'quotes']],
  ],
  [
    'a bracket too many',
    ZONE('      - {ref: a, action: block, expression: ssl}▶}\n'),
    [['yaml/syntax', 'nothing opens this bracket; delete it']],
  ],
  [
    'an apostrophe that begins a text',
    ZONE("      - action: block\n        expression: ▶'ssl\n"),
    [['yaml/syntax', "nothing closes this `'`"]],
  ],
  [
    'an item further left than those above it',
    ZONE('      - ref: a\n        action: block\n▶    - ref: b\n      action: log\n'),
    [['yaml/syntax', 'this item is not in the column of the items of any list above it']],
  ],
  [
    'dots in place of more rules',
    ZONE('      - ref: a\n        action: block\n        expression: ssl\n      ▶...\n'),
    [['yaml/syntax', '`...` is a placeholder, not YAML']],
  ],
  [
    'an equals sign behind a key',
    ZONE('      - ▶ref = a\n        action: block\n        expression: ssl\n'),
    [['yaml/syntax', 'write `ref: `, then the value']],
  ],
  [
    'a mistyped alias',
    'zone: &nmae a\nlabels: { x: ▶*name }\n',
    [['yaml/unknown-alias', 'did you mean `*nmae`?']],
  ],
  [
    'a second item of a list without its dash',
    ZONE('      - ref: a\n        action: block\n        ▶ref: b\n        action: log\n'),
    [['yaml/duplicate-key', 'if another item of the list begins here, write `- ` in front of it']],
  ],
  [
    'two conflicts of a merge',
    ZONE(
      '      - ref: a\n▶<<<<<<< HEAD\n        expression: ssl\n=======\n        expression: not ssl\n>>>>>>> other\n        action: block\n▶<<<<<<< HEAD\n      - ref: b\n||||||| old\n      - ref: c\n=======\n>>>>>>> other\n',
    ),
    [
      ['yaml/syntax', 'keep what is right of the two sides'],
      ['yaml/syntax', 'keep what is right of the two sides'],
    ],
  ],
  [
    'the rest of a merge conflict with line ends of Windows',
    'zone: a\r\n▶=======\r\nzone: b\r\n>>>>>>> other\r\nentrypoints: {}\r\n',
    [['yaml/syntax', '`=======`']],
  ],
  [
    'a key too far to the right',
    ZONE('      - ref: a\n▶         expression: ssl\n        action: block\n'),
    [['yaml/syntax', '8 spaces it would line up with the line above']],
  ],
  [
    'a key too far to the left',
    ZONE('      - ref: a\n▶       expression: ssl\n        action: block\n'),
    [['yaml/syntax', '8 spaces it would line up with the line above']],
  ],
  [
    'an item too far to the left, of which nothing else is told',
    ZONE(
      '      - ref: a\n        expression: ssl\n        action: block\n▶   - ref: b\n        expression: ssl\n        action: block\n        enabled: true\n',
    ),
    [['yaml/syntax', '4 spaces it would line up']],
  ],
  [
    'an item beside the keys of the one above',
    ZONE(
      '      - ref: a\n        expression: ssl\n        action: block\n▶        - ref: b\n        expression: ssl\n        action: block\n',
    ),
    [['yaml/syntax', 'items of one list, begin in the same column']],
  ],
  [
    'a colon in a text, twice, and both are told',
    ZONE('      - ref: a\n        description: ▶a: b\n      - ref: b\n        description: ▶c: d\n'),
    [
      ['yaml/syntax', 'needs quotes'],
      ['yaml/syntax', 'needs quotes'],
    ],
  ],
  [
    'a first line with a blank too many behind',
    'zone: a\n▶ entrypoints: {}\n',
    [['yaml/syntax', '0 spaces it would line up']],
  ],
  [
    'a colon without a blank',
    ZONE('      - ref: a\n        ▶expression:ssl\n        action: block\n'),
    [['yaml/syntax', 'write `expression: `, then the value']],
  ],
  [
    'a dash without a blank',
    ZONE('      ▶-ref: a\n       expression: ssl\n       action: block\n'),
    [['yaml/syntax', 'begins with `- `']],
  ],
  [
    'a key without a colon',
    ZONE('      - ref: a\n        ▶action block\n        expression: ssl\n'),
    [['yaml/syntax', 'write `action: `, then the value']],
  ],
  [
    'a blank of another kind before a key',
    ZONE('      - ref: a\n       ▶\u00a0expression: ssl\n        action: block\n'),
    [['yaml/syntax', 'write a plain space']],
  ],
  [
    'a blank of another kind behind a key',
    ZONE('      - ref:▶\u00a0a\n        expression: ssl\n        action: block\n'),
    [['yaml/syntax', 'write a plain space']],
  ],
  [
    'a tab, once',
    ZONE('      - ref: a\n▶\texpression: ssl\n        action: block\n'),
    [['yaml/syntax', 'indent with spaces']],
  ],
  [
    'a quotation mark without end, where it stands',
    ZONE('      - expression: ▶"ssl\n        action: block\n'),
    [['yaml/syntax', 'nothing closes this `"`']],
  ],
  [
    'a quotation mark without end behind a text in such marks',
    'zone: ["a", ▶"b]\nentrypoints: {}\n',
    [['yaml/syntax', 'nothing closes this `"`']],
  ],
  [
    'a quotation mark without end before one of the text',
    'zone: ▶"a \\"b\\" c\nentrypoints: {}\n',
    [['yaml/syntax', 'nothing closes this `"`']],
  ],
  [
    'a quotation mark without end behind a bracket without end',
    'zone: ▶[a\nentrypoints: ▶"a\n',
    [
      ['yaml/syntax', 'write `]` before line 2'],
      ['yaml/syntax', 'nothing closes this `"`'],
    ],
  ],
  ['a tab as indentation', 'zone: a\nentrypoints:\n▶\thttp_ratelimit: {}\n', [['yaml/syntax', 'spaces']]],
  ['a bracket that is not closed', 'zone: ▶[a\n', [['yaml/syntax', 'before the file ends']]],
  [
    'the innermost of two brackets that are not closed',
    ZONE('      - [ssl, ▶{ref: a, action: block\n      - {ref: b, action: log, expression: ssl}\n'),
    [['yaml/syntax', 'write `}` before line 6']],
  ],
  [
    'a bracket that one of the other kind closes',
    'zone: a\nentrypoints: ▶{http_ratelimit: 5]\n',
    [['yaml/syntax', 'write `}` before the `]` in line 2, column 32']],
  ],
  [
    'a bracket that is closed too far to the left',
    'zone: a\nentrypoints:\n  http_ratelimit: ▶{\n}\n',
    [['yaml/syntax', 'the `}` in line 4, column 1, has to stand further right']],
  ],
  ['a colon inside of a plain text', 'zone: a\nentrypoints: ▶b: c\n', [['yaml/syntax', 'quotes']]],
  ['a key twice', 'zone: a\n▶zone: b\n', [['yaml/duplicate-key', 'keep one']]],
  ['an alias without anchor', 'zone: ▶*name\n', [['yaml/unknown-alias', 'quotes']]],
  [
    'an alias inside of its anchor',
    'zone: a\nrulesets: &all [▶*all]\n',
    [['yaml/alias-cycle', 'contain itself']],
  ],
  ['a tag of binary data', 'zone: ▶!!binary aGk=\n', [['yaml/unknown-tag', 'quotes']]],
  ['a tag of a set', 'zone: ▶!!set {a, b}\n', [['yaml/unknown-tag', 'quotes']]],
  [
    'a directive of YAML 1.1, which changes nothing',
    '%YAML 1.1\n---\nzone: no\nentrypoints: ▶yes\n',
    [['schema/wrong-type', 'mapping']],
  ],
  ['a NUL in the file', 'zone: a▶\0b\n', [['yaml/control-character', 'if the file is UTF-16']]],
  ['an escape sequence in a comment', 'zone: a # ▶\x1b[2J\n', [['yaml/control-character', 'U+001B']]],
  [
    'lines that end with a carriage return alone',
    'zone: a▶\rentrypoints: {}\r',
    [['yaml/control-character', 'line ends']],
  ],
  [
    'a line that is shown in another order',
    `zone: a\nentrypoints: {} # ▶\u202e}{\nlabels: { x: "\\u202e", ▶5 }\n`,
    [
      ['yaml/text-direction', '"\\u202e"'],
      ['schema/no-value', 'value'],
    ],
  ],
  [
    'half a character',
    'zone: ▶"\\ud83d"\nlabels: { ▶"\\ude00": x, "\\ud83d\\ude00": y }\n',
    [
      ['yaml/not-unicode', 'half of a character'],
      ['yaml/not-unicode', 'half of a character'],
    ],
  ],
  [
    'a merge key',
    ZONE('      - &a { ref: a, action: block, expression: ssl }\n      - { ▶<<: *a, ref: b }\n'),
    [['yaml/merge-key', 'a pack']],
  ],
  ['an unknown tag', 'zone: ▶!secret a\n', [['yaml/unknown-tag', 'quotes']]],
  ['a key that is a list', 'zone: a\n? ▶[a, b]\n: c\n', [['yaml/key-not-text', 'quotes']]],
  ['infinity', 'zone: ▶.inf\n', [['yaml/not-a-number', '".inf"']]],
  [
    'a document behind the end',
    'zone: a # --- \n...\n# more\n▶foo: 1\n',
    [['yaml/several-documents', 'own']],
  ],
  ['a tag', 'zone: ▶!host a\n', [['yaml/unknown-tag', 'remove the tag']]],
  ['an escape that YAML has not', 'zone: "a▶\\d"\n', [['yaml/syntax', 'a backslash is written `\\\\`']]],
  [
    'an unusual blank in a key',
    'zone: a\n▶\u00a0entrypoints: {}\n',
    [['schema/unknown-key', 'unusual space is part of it']],
  ],
  ['two documents', 'zone: a\n▶---\nzone: b\n', [['yaml/several-documents', 'file of its own']]],
  ['an empty file', '▶', [['yaml/empty-file', 'no rules']]],
  ['a file of comments', '▶# nothing yet\n', [['yaml/empty-file', 'no rules']]],
  [
    'a number that looks octal',
    ZONE('      - action: block\n        expression: "true"\n        ref: ▶▶010\n'),
    [
      ['schema/wrong-type', '"010"'],
      ['yaml/octal-looking', '10'],
    ],
  ],
];

const SCHEMA: readonly Case[] = [
  [
    'rules directly under a phase',
    'zone: a.example\nentrypoints:\n  ▶http_ratelimit:\n    - ref: a\n',
    [['schema/wrong-type', 'write `rules:` above the list']],
  ],
  [
    'rules of no phase',
    'zone: a.example\n▶rules:\n  - ref: a\n',
    [['schema/unknown-key', 'rules belong to a phase under `entrypoints`']],
  ],
  [
    'a mistyped use of a pack',
    ZONE('      - ▶uses: bots\n'),
    [['schema/unknown-key', 'did you mean `use`?']],
  ],
  [
    'a parameter of an action beside it',
    ZONE('      - expression: ssl\n        action: block\n        ▶response: {status_code: 403}\n'),
    [['schema/unknown-key', 'it belongs under `action_parameters`']],
  ],
  [
    'a text as a rule',
    ZONE('      - ▶block all\n'),
    [['schema/wrong-type', 'a rule has keys, such as `expression` and `action`']],
  ],
  [
    'a text where keys belong',
    'zone: a.example\nownership: ▶"shop-*"\nentrypoints: {}\n',
    [['schema/wrong-type', 'keys here are `rules` and `rulesets`']],
  ],
  [
    'a time with its unit',
    ZONE(
      '      - expression: ssl\n        action: block\n        ratelimit: {characteristics: [ip.src, cf.colo.id], period: ▶1m, requests_per_period: 5}\n',
      'http_ratelimit',
    ),
    [['schema/wrong-type', 'it counts seconds: write 60']],
  ],
  [
    'rules by their names',
    'zone: a\nentrypoints:\n  http_ratelimit:\n    ▶rules: { block-admin: { action: block, expression: ssl } }\n',
    [['schema/wrong-type', 'write `- ref: block-admin` in place of `block-admin:`']],
  ],
  [
    'several zones under the key of one',
    '▶zone: [a.example, b.example]\n',
    [['schema/wrong-type', 'the key is `zones`']],
  ],
  [
    'a zone as in a list of zones',
    '▶zone: { name: a.example }\n',
    [['schema/wrong-type', 'the name of the zone alone']],
  ],
  [
    'keys of rules in other tools',
    ZONE('      - ▶ref: a\n        action: block\n        ▶filter: ssl\n        ▶paused: false\n'),
    [
      ['schema/missing-key', '`expression` is missing'],
      ['schema/unknown-key', 'write `expression`'],
      ['schema/unknown-key', 'write `enabled: false`'],
    ],
  ],
  [
    'overrides by their ids',
    ZONE(
      '      - {ref: a, expression: "true", action: execute, action_parameters: {id: managed:x, overrides: {▶rules: {5de7edfa648c4d6891dc3e7f84534ffa: {action: log}}}}}\n',
      'http_request_firewall_managed',
    ),
    [['schema/wrong-type', 'write `- id: 5de7edfa648c4d6891dc3e7f84534ffa`']],
  ],
  [
    'an override that switches off by an action',
    ZONE(
      '      - {ref: a, expression: "true", action: execute, action_parameters: {id: managed:x, overrides: {action: ▶disable}}}\n',
      'http_request_firewall_managed',
    ),
    [['schema/unknown-value', 'write `enabled: false`']],
  ],
  [
    'a list of headers',
    ZONE(
      '      - {ref: a, expression: "true", action: rewrite, action_parameters: {▶headers: [{name: x-a, operation: remove}]}}\n',
      'http_request_late_transform',
    ),
    [['schema/wrong-type', 'write `x-a:` in place of `- name: x-a`']],
  ],
  [
    'parameters in front of the key that they belong under',
    ZONE(
      '      - {ref: a, expression: "true", action: redirect, ▶action_parameters: {▶target_url: {value: "https://a.example/"}}}\n',
      'http_request_dynamic_redirect',
    ),
    [
      ['schema/one-of', '`from_value`'],
      ['schema/unknown-key', 'it belongs under `from_value`'],
    ],
  ],
  [
    'a skip that says not what',
    ZONE('      - {▶ref: a, expression: "true", action: skip}\n'),
    [['schema/missing-key', 'such as `action_parameters: { ruleset: current }`']],
  ],
  [
    'an action for doing nothing',
    ZONE('      - {ref: a, expression: "true", action: ▶off}\n'),
    [['schema/unknown-action', 'write `enabled: false`']],
  ],
  [
    'several addresses in one text',
    'zone: a\nvars: { office: "192.0.2.1, 192.0.2.2" }\nentrypoints:\n  http_ratelimit:\n    rules: [{ref: a, action: log, expression: "ip.src in {▶${office}}", ratelimit: {characteristics: [cf.colo.id, ip.src], period: 10, requests_per_period: 1}}]\n',
    [['expression/syntax', 'each value stands by itself']],
  ],
  [
    'an action of older interfaces',
    ZONE('      - {ref: a, expression: "true", action: ▶captcha}\n'),
    [['schema/unknown-action', 'write `managed_challenge`']],
  ],
  [
    'a share as a number',
    {
      'rulewright.yaml': 'version: 1\nfiles: [zones/*.yaml]\nsafety: { max_changed: ▶0.5 }\n',
      'zones/a.yaml': 'zone: a\n',
    },
    [['schema/wrong-type', 'a share such as 30%']],
  ],
  ['a part of a key', 'zone: a\n▶token: b\n', [['schema/unknown-key', 'did you mean `token_env`?']]],
  [
    'a sentence above the document',
    '▶Here is the file:\nzone: a\n',
    [['schema/unknown-key', 'keys here are']],
  ],
  [
    'a comment of JSON',
    '{"zone": "a", ▶// main\n"entrypoints": {}}\n',
    [['schema/unknown-key', 'a comment begins with `#`']],
  ],
  [
    'a computed value that is a text',
    ZONE(
      '      - {ref: a, expression: "true", action: redirect, action_parameters: {from_value: {target_url: {expression: \'▶"https://a.example/" + http.host\'}}}}\n',
      'http_request_dynamic_redirect',
    ),
    [['expression/syntax', 'joined with concat']],
  ],
  [
    'a part of the name of a phase',
    'zone: a\nentrypoints: { ▶firewall_custom: { rules: [] } }\n',
    [['config/unknown-phase', 'did you mean `http_request_firewall_custom`?']],
  ],
  [
    'a part of the names of several phases',
    'zone: a\nentrypoints: { ▶firewall: { rules: [] } }\n',
    [['config/unknown-phase', 'phases of a zone are']],
  ],
  [
    'a name of a variable with a dash',
    'zone: a.example\nvars: {▶my-var: 1}\nentrypoints: {}\n',
    [['schema/wrong-form', 'the key `my-var` has the wrong form']],
  ],
  [
    'a text with a comma in brackets',
    ZONE('      - {ref: a, action: block, expression: lower▶(http.host, ▶http.referer)}\n'),
    [
      ['expression/syntax', ''],
      ['schema/unknown-key', 'a comma or a bracket ends a text'],
    ],
  ],
  ['a list instead of a document', '▶- zone: a\n', [['config/no-scope', 'leave out the `- `']]],
  ['a list of anything', '▶- a\n', [['config/no-scope', 'zone: example.com']]],
  [
    'only a key without a space',
    '▶zone:a.example\n',
    [['config/no-scope', 'space after the colon: `zone: `']],
  ],
  ['neither zone nor account', '▶name: a\n', [['config/no-scope', 'account: name']]],
  ['zone and account', 'zone: a\n▶account: b\n', [['config/two-scopes', 'own file']]],
  ['an address for a zone', 'zone: ▶https://shop.example/\n', [['schema/wrong-form', 'no address']]],
  ['an empty name of a zone', 'zone: ▶""\n', [['schema/out-of-bounds', 'is empty; write the name']]],
  ['a variable for a zone', 'zone: ▶"${host}"\n', [['schema/wrong-form', 'no variable']]],
  [
    'names of zones with blanks and signs',
    'zones: [▶"shop.example ", {name: ▶"*.example"}, bücher.example, xn--bcher-kva.example, _a.b]\n',
    [
      ['schema/wrong-form', 'write the name of the zone'],
      ['schema/wrong-form', 'write the name of the zone'],
    ],
  ],
  ['a zone without a name', '▶zone:\n', [['schema/no-value', 'write a value']]],
  ['a zone that is a number', 'zone: ▶12\n', [['schema/wrong-type', '"12"']]],
  ['an unknown key', 'zone: a\n▶entrypoint: {}\n', [['schema/unknown-key', 'did you mean `entrypoints`?']]],
  ['entry points without a value', 'zone: a\n▶entrypoints:\n', [['schema/no-value', 'name a phase']]],
  [
    'a phase key without a value',
    'zone: a\nentrypoints:\n  ▶http_ratelimit:\n',
    [
      [
        'schema/no-value',
        'write `rules: []` under it for no rules, or remove the key to stop managing the phase',
      ],
    ],
  ],
  [
    'rules without a value',
    'zone: a\nentrypoints:\n  http_ratelimit:\n    ▶rules:\n',
    [['schema/no-value', 'write `rules: []`']],
  ],
  [
    'an expression without a value',
    ZONE('      - ref: a\n        ▶expression:\n        action: block\n'),
    [['schema/no-value', "write `'true'`, in quotes"]],
  ],
  [
    'an entry point without rules',
    'zone: a\nentrypoints:\n  ▶http_ratelimit: {}\n',
    [['schema/missing-key', 'rules: []']],
  ],
  [
    'an unknown phase',
    'zone: a\nentrypoints:\n  ▶http_request_firewal_custom: {rules: []}\n',
    [['config/unknown-phase', 'did you mean `http_request_firewall_custom`?']],
  ],
  [
    'a phase that nothing resembles',
    'zone: a\nentrypoints:\n  ▶firewall: {rules: []}\n',
    [['config/unknown-phase', 'phases of a zone are `http_request_sanitize`']],
  ],
  [
    'a key of an entry point beside its phase',
    'zone: shop.example\nentrypoints:\n  ▶http_ratelimit:\n  ▶rules: []\n',
    [
      ['schema/no-value', 'has no value'],
      ['schema/unknown-key', 'it belongs to a phase: indent it below one'],
    ],
  ],
  [
    'an account phase in a zone',
    'zone: a\nentrypoints:\n  ▶http_request_redirect: {rules: []}\n',
    [['config/phase-level', 'file of an account']],
  ],
  [
    'an account phase in a list of zones',
    'zones: [a, b]\nentrypoints:\n  ▶http_request_redirect: {rules: []}\n',
    [['config/phase-level', 'file of an account']],
  ],
  [
    'a zone phase in an account',
    'account: a\nentrypoints:\n  ▶http_request_cache_settings: {rules: []}\n',
    [['config/phase-level', 'file of a zone']],
  ],
  [
    'a custom ruleset of a phase that has none',
    'zone: a\nrulesets:\n  - name: x\n    phase: ▶http_ratelimit\n    rules: []\n',
    [['config/phase-level', '`http_request_firewall_custom`']],
  ],
  [
    'a custom ruleset of an unknown phase',
    'account: a\nrulesets:\n  - name: x\n    phase: ▶http_ratelimt\n    rules: []\n',
    [['config/unknown-phase', 'did you mean `http_ratelimit`?']],
  ],
  [
    'a custom ruleset without rules',
    'zone: a\nrulesets:\n  - ▶name: x\n    phase: http_request_firewall_custom\n',
    [['schema/missing-key', 'rules: []']],
  ],
  [
    'an absent ruleset with rules',
    'zone: a\nrulesets:\n  - name: x\n    phase: http_request_firewall_custom\n    absent: true\n    ▶rules: []\n',
    [['schema/not-together', 'remove `rules`']],
  ],
  [
    'a rule without action',
    ZONE('      - ▶expression: "true"\n'),
    [['schema/missing-action', 'action: block']],
  ],
  [
    'a rule without expression',
    ZONE('      - ▶action: block\n'),
    [['schema/missing-key', "`'true'`, in quotes, matches all"]],
  ],
  [
    'a mistyped action',
    ZONE('      - action: ▶managed-chalenge\n        expression: "true"\n'),
    [['schema/unknown-value', 'did you mean `managed_challenge`?']],
  ],
  [
    'an action of the old firewall rules',
    ZONE('      - action: ▶allow\n        expression: "true"\n'),
    [['schema/unknown-action', 'write `skip`']],
  ],
  [
    'a key that only the service writes',
    ZONE('      - action: block\n        expression: "true"\n        ▶last_updated: x\n'),
    [['schema/unknown-key', 'only the service writes']],
  ],
  [
    'an unknown parameter',
    ZONE('      - action: block\n        expression: "true"\n        action_parameters: {▶novelty: 1}\n'),
    [['schema/unknown-key', '`extra_parameters`']],
  ],
  [
    'a parameter of another action',
    ZONE('      - action: block\n        expression: "true"\n        action_parameters: {▶from_value: {}}\n'),
    [['schema/unknown-key', 'belongs to the action `redirect`']],
  ],
  [
    'a skip without parameters',
    ZONE('      - ▶action: skip\n        expression: "true"\n'),
    [['schema/missing-key', 'missing in this rule']],
  ],
  [
    'an override of a tag under another name',
    ZONE(
      '      - action: execute\n        expression: "true"\n        action_parameters: {id: managed:a, overrides: {categories: [{▶▶tag: joomla, enabled: false}]}}\n',
    ),
    [
      ['schema/missing-key', 'it takes a tag'],
      ['schema/unknown-key', 'keys here are `category`'],
    ],
  ],
  [
    'parameters that say nothing',
    ZONE('      - action: skip\n        expression: "true"\n        ▶action_parameters: {}\n'),
    [['schema/out-of-bounds', 'give at least one of `ruleset`']],
  ],
  [
    'keys that are mutually exclusive',
    ZONE(
      '      - action: skip\n        expression: "true"\n        action_parameters: {ruleset: current, ▶rulesets: [managed:x]}\n',
    ),
    [['schema/not-together', 'remove `ruleset` or `rulesets`']],
  ],
  [
    'a key that needs another one',
    ZONE(
      '      - action: block\n        expression: "true"\n        ratelimit: {characteristics: [cf.colo.id, ip.src], period: 60, ▶score_per_period: 5}\n',
      'http_ratelimit',
    ),
    [['schema/needs-key', 'add `score_response_header_name`']],
  ],
  [
    'a key that stands beside one other only',
    ZONE(
      '      - action: skip\n        expression: "true"\n        action_parameters: {phase: current, products: [waf], ▶ruleset: current}\n',
    ),
    [['schema/not-together', 'remove `phase` or `ruleset`']],
  ],
  [
    'one of two keys is missing',
    ZONE(
      '      - action: redirect\n        expression: "true"\n        action_parameters: {from_value: {▶target_url: {}}}\n',
      'http_request_dynamic_redirect',
    ),
    [['schema/one-of', 'exactly one of `value` and `expression`']],
  ],
  [
    'two keys of which one may stand',
    ZONE(
      '      - action: redirect\n        expression: "true"\n        action_parameters: {from_value: {target_url: {value: a, ▶expression: http.host}}}\n',
      'http_request_dynamic_redirect',
    ),
    [['schema/one-of', 'keep one of them']],
  ],
  [
    'a value that is not listed',
    ZONE(
      '      - action: set_config\n        expression: "true"\n        action_parameters: {ssl: ▶stricct}\n',
      'http_config_settings',
    ),
    [['schema/unknown-value', 'did you mean `strict`?']],
  ],
  [
    'a status that is not possible',
    ZONE(
      '      - action: block\n        expression: "true"\n        action_parameters: {response: {status_code: ▶200, content_type: text/plain, content: x}}\n',
    ),
    [['schema/out-of-bounds', 'must be at least 400']],
  ],
  [
    'a mistyped key that is missing under its own name, once',
    ZONE(
      '      - action: block\n        expression: ssl\n        ratelimit: {characteristics: [ip.src, cf.colo.id], ▶peroid: 60, requests_per_period: 5}\n',
      'http_ratelimit',
    ),
    [['schema/unknown-key', 'did you mean `period`?']],
  ],
  [
    'a mistyped key of two of which one has to be there, once',
    ZONE(
      '      - action: block\n        expression: ssl\n        ratelimit: {characteristics: [ip.src, cf.colo.id], period: 60, ▶request_per_period: 5}\n',
      'http_ratelimit',
    ),
    [['schema/unknown-key', 'did you mean `requests_per_period`?']],
  ],
  [
    'a file whose first word is mistyped',
    '▶zoen: a\nentrypoints: {}\n',
    [['config/no-scope', 'did you mean `zone` by `zoen`?']],
  ],
  [
    'a list where a text has to stand',
    ZONE('      - action: block\n        expression: ssl\n        ▶description: [WAF, bots]\n'),
    [['schema/wrong-type', 'a text that begins with `[` or `{` needs quotes']],
  ],
  [
    'a mapping where one of two words has to stand',
    ZONE('      []\n').replace('    rules:', '    ▶place: {before: a}\n    rules:'),
    [['schema/wrong-type', 'write one of `first` or `last`']],
  ],
  [
    'a list where one of two words has to stand',
    ZONE('      []\n').replace('    rules:', '    ▶place: [first, last]\n    rules:'),
    [['schema/wrong-type', 'write one of `first` or `last`']],
  ],
  [
    'a variable from the environment under vars',
    'zone: a\nvars:\n  ▶token: {from: TOKEN, sensitive: true}\nentrypoints: {http_ratelimit: {rules: []}}\n',
    [['schema/wrong-type', 'stands under `env` of rulewright.yaml']],
  ],
  [
    'a product as a parameter of `skip`',
    ZONE('      - action: skip\n        expression: "true"\n        action_parameters: {▶bic: true}\n'),
    [['schema/unknown-key', 'write `products: [bic]`']],
  ],
  [
    'an action that no override gives',
    ZONE(
      '      - action: execute\n        expression: "true"\n        action_parameters: {id: managed:x, overrides: {action: ▶default}}\n',
      'http_request_firewall_managed',
    ),
    [['schema/unknown-value', 'write one of `block`']],
  ],
  [
    'a mode that does not exist, with a time',
    ZONE(
      '      - action: set_cache_settings\n        expression: "true"\n        action_parameters: {browser_ttl: {mode: ▶override, default: 60}}\n',
      'http_request_cache_settings',
    ),
    [['schema/unknown-value', '`override_origin`']],
  ],
  [
    'the priority of an old firewall rule',
    ZONE('      - action: log\n        expression: ssl\n        ▶priority: 3\n'),
    [['schema/unknown-key', 'in the order of the list']],
  ],
  [
    'the status that Terraform has in overrides',
    ZONE(
      '      - action: execute\n        expression: "true"\n        action_parameters: {id: managed:x, overrides: {▶status: disabled}}\n',
      'http_request_firewall_managed',
    ),
    [['schema/unknown-key', '`enabled: false`']],
  ],
  [
    'items of a list in one text',
    ZONE(
      '      - action: skip\n        expression: "true"\n        action_parameters: {rulesets: ▶"managed:a,managed:b"}\n',
      'http_request_firewall_managed',
    ),
    [['schema/wrong-type', 'write a list of its items: [managed:a, managed:b]']],
  ],
  [
    'a text for a value',
    ZONE(
      '      - action: redirect\n        expression: "true"\n        action_parameters: {from_value: {target_url: ▶"https://a.example"}}\n',
      'http_request_dynamic_redirect',
    ),
    [['schema/wrong-type', '`{value: …}`']],
  ],
  [
    'an action of page rules',
    ZONE('      - action: ▶forwarding_url\n        expression: "true"\n', 'http_request_dynamic_redirect'),
    [['schema/unknown-action', 'write `redirect`']],
  ],
  [
    'a list of one where a text has to stand',
    ZONE('      - ▶action: [block]\n        expression: ssl\n'),
    [['schema/wrong-type', 'write `block` without brackets']],
  ],
  [
    'a list where a mapping has to stand',
    'zone: a\n▶entrypoints:\n  - http_ratelimit: {rules: []}\n',
    [['schema/wrong-type', 'no `- ` before them']],
  ],
  [
    'a phase that does not stand under entrypoints',
    'zone: a\n▶http_ratelimit: {rules: []}\n',
    [['schema/unknown-key', 'phases belong under `entrypoints`']],
  ],
  [
    'a list of conditions',
    ZONE('      - action: block\n        ▶expression: [ssl, ssl]\n'),
    [['schema/wrong-type', 'with `and` and `or` between its parts']],
  ],
  [
    'a boolean of YAML 1.1',
    ZONE('      - action: block\n        expression: "true"\n        enabled: ▶yes\n'),
    [['schema/wrong-type', 'write `true`']],
  ],
  [
    'an expression that is a boolean',
    ZONE('      - action: block\n        expression: ▶true\n'),
    [['schema/wrong-type', '"true"']],
  ],
  [
    'rules that are a mapping',
    'zone: a\nentrypoints:\n  http_ratelimit:\n    ▶rules: {ref: a}\n',
    [['schema/wrong-type', '`- `']],
  ],
  [
    'a rule that is empty',
    'zone: a\nentrypoints:\n  http_ratelimit:\n    rules:\n      -▶\n',
    [['schema/no-value', '`-`']],
  ],
  [
    'a reference by name instead of slug',
    ZONE(
      '      - action: execute\n        expression: "true"\n        action_parameters: {id: "▶custom:Login Protection"}\n'.replace(
        '"▶',
        '▶"',
      ),
    ),
    [['schema/wrong-form', '`custom:login-protection`']],
  ],
  [
    'a reference without kind',
    ZONE('      - action: execute\n        expression: "true"\n        action_parameters: {id: ▶login}\n'),
    [['schema/wrong-form', 'managed:<slug>']],
  ],
  ...[
    [
      'http_request_firewall_managed',
      'action: execute, expression: ssl, action_parameters: {id: managed:x, overrides: {categories: [{category: a, action: block}, {category: b, enabled: true}, {category: ▶a, enabled: false}]}}',
      'the other one is at zones/a.yaml:5:115',
    ],
    [
      'http_request_firewall_managed',
      'action: execute, expression: ssl, action_parameters: {id: managed:x, overrides: {rules: [{id: 5de7edfa648c4d6891dc3e7f84534ffa, action: log}, {id: ▶5de7edfa648c4d6891dc3e7f84534ffa, action: log}]}}',
      'keep one entry',
    ],
    [
      'http_request_firewall_managed',
      'action: execute, expression: ssl, action_parameters: {id: managed:x}, extra_parameters: {overrides: {categories: [{category: a, action: block}, {category: ▶a, enabled: false}]}}',
      'keep one entry',
    ],
    [
      'http_response_headers_transform',
      'action: rewrite, expression: ssl, action_parameters: {headers: {X-Mine: {operation: remove}, ▶x-mine: {operation: set, value: a}}}',
      'the case of header names does not matter',
    ],
    [
      'http_log_custom_fields',
      'action: log_custom_field, expression: "true", action_parameters: {cookie_fields: [{name: a}, {name: A}, {name: ▶a}], raw_response_fields: [{name: x}, {name: ▶x, preserve_duplicates: true}]}',
      'keep one entry',
      'keep one entry',
    ],
    [
      'http_response_compression',
      'action: compress_response, expression: ssl, action_parameters: {algorithms: [{name: gzip}, {name: zstd}, {name: ▶gzip}]}',
      'keep one entry',
    ],
    [
      'http_request_cache_settings',
      'action: set_cache_settings, expression: ssl, action_parameters: {cache: true, edge_ttl: {mode: respect_origin, status_code_ttl: [{status_code: 404, value: 1}, {status_code: ▶404, value: 60}]}}',
      'keep one entry',
    ],
    [
      'http_ratelimit',
      'action: block, expression: ssl, ratelimit: {characteristics: [cf.colo.id, ip.src, ▶ip.src], period: 60, requests_per_period: 50}',
      'keep one entry',
    ],
  ].map(([phase = '', rule = '', ...hints]): Case => [
    `what stands twice in ${phase}`,
    ZONE(`      - {${rule}}\n`, phase),
    hints.map((hint) => ['config/repeated-entry', hint]),
  ]),
  [
    'an action like one that exists, but perhaps newer',
    ZONE('      - {action: ▶blocks, expression: ssl}\n'),
    [['schema/unknown-action', 'did you mean `block`? if the service has it, write above its line']],
  ],
  ...['ddos_l7', 'ddos_l4'].map((phase): Case => [
    `overrides that switch DDoS protection on or off in ${phase}`,
    `account: a
entrypoints:
  ${phase}:
    rules:
      - action: execute
        expression: "true"
        action_parameters:
          id: managed:x
          overrides:
            ▶enabled: false
            categories: [{category: a, ▶enabled: false}]
            rules: [{id: ${'a'.repeat(32)}, ▶enabled: true}]
`,
    [
      ['config/parameter-in-phase', 'write `sensitivity_level: eoff` instead'],
      ['config/parameter-in-phase', 'write `sensitivity_level: eoff` instead'],
      ['config/parameter-in-phase', 'remove it'],
    ],
  ]),
  [
    'a rate limit without cf.colo.id',
    ZONE(
      `      - action: block
        expression: "true"
        ratelimit: {▶characteristics: [ip.src], period: 60, requests_per_period: 5}
`,
      'http_ratelimit',
    ),
    [['schema/missing-item', 'add "cf.colo.id" to the list']],
  ],
  [
    'a header name with a space',
    ZONE(
      '      - action: rewrite\n        expression: "true"\n        action_parameters: {headers: {▶a b: {operation: remove}}}\n',
      'http_request_late_transform',
    ),
    [['schema/wrong-form', 'letters, digits']],
  ],
];

const RULES: readonly Case[] = [
  [
    'two rules with one ref',
    ZONE(
      '      - {ref: a, action: block, expression: "true"}\n      - {ref: ▶a, action: block, expression: "true"}\n',
    ),
    [['config/duplicate-ref', 'zones/a.yaml:5:15']],
  ],
  [
    'two rules with one id',
    ZONE(
      '      - {id: 5de7edfa648c4d6891dc3e7f84534ffa, action: block, expression: "true"}\n      - {id: ▶5de7edfa648c4d6891dc3e7f84534ffa, action: block, expression: "true"}\n',
    ),
    [['config/duplicate-id', 'zones/a.yaml:5:14']],
  ],
  [
    'an action of another phase',
    ZONE(
      '      - action: ▶route\n        expression: "true"\n        action_parameters: {origin: {port: 1}}\n',
    ),
    [['config/action-in-phase', '`route` belongs to `http_request_origin`']],
  ],
  [
    'an action of another phase, with parameters that this phase does not take either',
    ZONE(
      '      - action: ▶rewrite\n        expression: "true"\n        action_parameters: {uri: {path: {value: /x}}}\n',
    ),
    [['config/action-in-phase', '`rewrite` belongs to']],
  ],
  [
    'an action of another phase, without what this phase wants of its own',
    ZONE(
      '      - action: ▶rewrite\n        expression: "true"\n        action_parameters: {uri: {path: {value: /x}}}\n',
      'http_ratelimit',
    ),
    [['config/action-in-phase', '`rewrite` belongs to']],
  ],
  [
    'an action of another phase, without the parameters that it has there',
    ZONE('      - action: ▶rewrite\n        expression: "true"\n'),
    [['config/action-in-phase', '`rewrite` belongs to']],
  ],
  [
    'an action of another phase, with the parameters of an action of this one',
    ZONE(
      '      - action: ▶block\n        expression: "true"\n        action_parameters: {uri: {path: {value: /x}}}\n',
      'http_request_transform',
    ),
    [['config/action-in-phase', 'allowed here: `rewrite`']],
  ],
  [
    'an action of another phase, and a value that it takes nowhere',
    ZONE(
      '      - action: ▶route\n        expression: "true"\n        action_parameters: {origin: {port: ▶many}}\n',
    ),
    [
      ['config/action-in-phase', '`route` belongs to'],
      ['schema/wrong-type', 'number'],
    ],
  ],
  [
    'a block in the entry point of an account',
    'account: a\nentrypoints:\n  http_request_firewall_custom:\n    rules:\n      - {action: ▶block, expression: "true"}\n',
    [['config/action-in-phase', 'put the rule into a custom ruleset']],
  ],
  [
    'an execute in a custom ruleset',
    'zone: a\nrulesets:\n  - name: x\n    phase: http_request_firewall_custom\n    rules:\n      - {action: ▶execute, expression: "true", action_parameters: {id: managed:x}}\n',
    [['config/action-in-phase', 'allowed here: `block`']],
  ],
  [
    'execute in a custom ruleset of managed rules, for none executes another',
    'account: a\nrulesets:\n  - name: x\n    phase: http_request_firewall_managed\n    rules:\n      - {action: ▶execute, expression: "true", action_parameters: {id: managed:x}}\n',
    [['config/action-in-phase', 'allowed here: `skip`']],
  ],
  [
    'headers in the phase of URL rewrites',
    ZONE(
      '      - action: rewrite\n        expression: "true"\n        action_parameters: {▶headers: {a: {operation: remove}}}\n',
      'http_request_transform',
    ),
    [['config/parameter-in-phase', 'http_request_late_transform']],
  ],
  [
    'an override that the phase does not take, at each of its levels',
    ZONE(
      '      - action: execute\n        expression: "true"\n        action_parameters:\n          id: managed:x\n          ▶matched_data: {public_key: abc}\n          overrides:\n            ▶sensitivity_level: low\n            categories: [{category: dlp, action: ▶managed_challenge}]\n            rules: [{id: 5de7edfa648c4d6891dc3e7f84534ffa, ▶sensitivity_level: low}]\n',
      'http_response_firewall_managed',
    ),
    [
      ['config/parameter-in-phase', '`matched_data` belongs to `http_request_firewall_managed`'],
      ['config/parameter-in-phase', '`sensitivity_level` belongs to `ddos_l4` or `ddos_l7`'],
      ['config/parameter-in-phase', 'allowed here: `block` and `log`'],
      ['config/parameter-in-phase', '`sensitivity_level` belongs to'],
    ],
  ],
  [
    'what an exception for managed rules cannot skip',
    ZONE(
      '      - action: skip\n        expression: "true"\n        action_parameters: {ruleset: current, ▶phases: [http_ratelimit]}\n      - action: execute\n        expression: "true"\n        action_parameters: {id: managed:x}\n',
      'http_request_firewall_managed',
    ),
    [
      [
        'config/parameter-in-phase',
        'does not allow `phases`; allowed here: `rules`, `ruleset` and `rulesets`; `phases` belongs to `http_request_firewall_custom`',
      ],
    ],
  ],
  [
    'the current phase skipped from a custom ruleset of an account',
    'account: a\nrulesets:\n  - name: x\n    phase: http_request_firewall_custom\n    rules:\n      - {action: skip, expression: "true", action_parameters: {▶phase: current}}\n',
    [['config/parameter-in-phase', 'in zones only']],
  ],
  [
    'request headers that cannot be set or changed',
    ZONE(
      '      - action: rewrite\n        expression: "true"\n        action_parameters:\n          headers:\n            ▶CF-Ray: {operation: remove}\n            ▶Cookie: {operation: set, value: a}\n            x-forwarded-proto: {operation: remove}\n            x-mine: {operation: set, value: a}\n            x-more: {operation: ▶add, value: a}\n',
      'http_request_late_transform',
    ),
    [
      ['config/parameter-in-phase', 'CF-Ray cannot be changed'],
      ['config/parameter-in-phase', 'Cookie cannot be set; it can only be removed'],
      ['config/parameter-in-phase', 'a request header cannot be added'],
    ],
  ],
  [
    'rules that another interface writes, of which nothing else is told',
    'zone: a\nentrypoints:\n  ▶http_request_sbfm:\n    rules: [{ref: a, action: block, expression: "true"}]\n',
    [['config/phase-elsewhere', 'the bot settings write its rules']],
  ],
  [
    'lists of Vary under the header of the other',
    ZONE(
      '      - action: set_cache_settings\n        expression: "true"\n        action_parameters: {vary: {default: {action: bypass}, headers: {accept: {action: normalize, ▶languages: [en]}, accept-language: {action: normalize, ▶media_types: [text/html]}, x-a: {action: normalize, ▶languages: [en]}}}}\n',
      'http_request_cache_settings',
    ),
    [
      ['schema/unknown-key', '`media_types`'],
      ['schema/unknown-key', '`languages`'],
      ['schema/unknown-key', '`action`'],
    ],
  ],
  [
    'a page of a rate limit that is too long, in bytes',
    ZONE(
      `      - action: block\n        expression: "true"\n        action_parameters: {response: {status_code: 429, content_type: text/plain, content: ▶${'é'.repeat(15_361)}}}\n        ratelimit: {characteristics: [cf.colo.id, ip.src], period: 10, requests_per_period: 5}\n`,
      'http_ratelimit',
    ),
    [['config/parameter-in-phase', 'at most 30 KB (30720 bytes), not 30722']],
  ],
  [
    'extra parameters inside the parameters, and a query string that is both in and out',
    ZONE(
      '      - action: set_cache_settings\n        expression: "true"\n        action_parameters: {cache_key: {custom_key: {▶query_string: {include: ["a"], exclude: ["b"]}}}, ▶extra_parameters: {newer: 1}}\n',
      'http_request_cache_settings',
    ),
    [
      ['schema/out-of-bounds', 'cannot stand together'],
      ['schema/unknown-key', 'beside `action_parameters`, not inside'],
    ],
  ],
  [
    'directives of Cache-Control whose seconds or header names do not fit',
    ZONE(
      '      - action: set_cache_control\n        expression: "true"\n        action_parameters: {max-age: {operation: remove, ▶value: 60}, s-maxage: {operation: remove, ▶value: 0}, ▶stale-if-error: {operation: set}, stale-while-revalidate: {operation: remove}, private: {operation: set, ▶qualifiers: []}, no-cache: {operation: set, qualifiers: [set-cookie]}}\n',
      'http_response_cache_settings',
    ),
    [
      ['schema/not-together', '`remove` takes no `value`'],
      ['schema/not-together', '`remove` takes no `value`'],
      ['schema/missing-key', '`value`'],
      ['schema/out-of-bounds', 'item'],
    ],
  ],
  [
    'cache tags that are empty, or not a list',
    ZONE(
      `      - action: set_cache_tags
        expression: "true"
        action_parameters: {operation: set, ▶values: []}
      - action: set_cache_tags
        expression: "true"
        action_parameters: {operation: set, values: [▶'']}
      - action: set_cache_tags
        expression: "true"
        action_parameters: {operation: set, expression: ▶http.host}
`,
      'http_response_cache_settings',
    ),
    [
      ['schema/out-of-bounds', 'item'],
      ['schema/out-of-bounds', 'empty'],
      ['expression/value-type', 'Array<Bytes>'],
    ],
  ],
  [
    'a rewrite in a custom ruleset that looks for no credentials',
    'account: a\nrulesets:\n  - name: x\n    phase: http_request_firewall_custom\n    rules:\n      - {▶action: rewrite, expression: "true", action_parameters: {headers: {a: {operation: remove}}}}\n',
    [['config/missing-credential-check', '`username_expression`']],
  ],
  [
    'a credential check with an action that has none',
    'account: a\nrulesets:\n  - name: x\n    phase: http_request_firewall_custom\n    rules:\n      - {action: managed_challenge, expression: "true", ▶exposed_credential_check: {username_expression: http.host, password_expression: http.host}}\n',
    [['config/unexpected-credential-check', 'allowed with it: `block`']],
  ],
  [
    'a parameter twice',
    ZONE(
      '      - action: execute\n        expression: "true"\n        action_parameters: {id: managed:x}\n        extra_parameters: {▶id: managed:y}\n',
    ),
    [['config/parameter-twice', 'keep it in `action_parameters`']],
  ],
  [
    'a rate limiting rule without rate',
    ZONE('      - ▶action: block\n        expression: "true"\n', 'http_ratelimit'),
    [['config/missing-ratelimit', '`characteristics`']],
  ],
  [
    'a period over which no plan counts',
    ZONE(
      '      - action: block\n        expression: "true"\n        ratelimit: {characteristics: [cf.colo.id, ip.src], period: ▶61, requests_per_period: 5}\n',
      'http_ratelimit',
    ),
    [['config/rate-limit-period', 'the nearest allowed periods are 60 and 90; if the service has it']],
  ],
  ...[
    ['that exclude each other', '[cf.colo.id, ip.src, cf.unique_visitor_id]', 'keep one'],
    ['that are too few', '[cf.colo.id]', 'such as `ip.src`'],
  ].map(([what = '', names = '', told = '']): Case => [
    `characteristics of a rate limit ${what}`,
    ZONE(
      `      - action: block\n        expression: "true"\n        ratelimit: {▶characteristics: ${names}, period: 60, requests_per_period: 5}\n`,
      'http_ratelimit',
    ),
    [['config/rate-limit-characteristics', told]],
  ]),
  [
    'a managed ruleset that is executed twice, by its name and by its id',
    ZONE(
      '      - {action: execute, expression: ssl, action_parameters: {id: managed:cloudflare-managed-ruleset}}\n      - {action: execute, expression: not ssl, action_parameters: {id: ▶efb7b8c949ac4650a09736fc376e9aee}}\n',
      'http_request_firewall_managed',
    ),
    [['config/repeated-execute', 'once; the other one is at zones/a.yaml:5:10']],
  ],
  [
    'a rate where none is limited',
    ZONE(
      '      - action: block\n        expression: "true"\n        ▶ratelimit: {characteristics: [cf.colo.id, ip.src], period: 60, requests_per_period: 5}\n',
    ),
    [['config/unexpected-ratelimit', 'http_ratelimit']],
  ],
  [
    'a credential check in a zone',
    ZONE(
      '      - action: block\n        expression: "true"\n        ▶exposed_credential_check: {username_expression: http.host, password_expression: http.host}\n',
    ),
    [['config/unexpected-credential-check', 'account']],
  ],
  [
    'a credential that is computed, and one of a function inside of another',
    'account: a\nrulesets:\n  - name: x\n    phase: http_request_firewall_custom\n    rules:\n      - action: log\n        expression: "true"\n        exposed_credential_check:\n          username_expression: ▶concat(http.host, http.host)\n          password_expression: lower(▶url_decode(http.host))\n',
    [
      ['expression/place', 'concat() cannot be used here; allowed here: upper()'],
      ['expression/place', 'url_decode() cannot be used inside of another function here'],
    ],
  ],
  [
    'an empty expression',
    ZONE('      - action: block\n        expression: ▶""\n'),
    [['expression/blank', "'true'"]],
  ],
  [
    'a blank expression',
    ZONE('      - action: block\n        expression: "▶  "\n'),
    [['expression/blank', "'true'"]],
  ],
  [
    'a long expression',
    ZONE(`      - action: block\n        expression: ▶http.host eq "${'x'.repeat(4096)}"\n`),
    [['expression/too-long', '4111']],
  ],
  [
    'an unknown field on the second line of a folded text',
    ZONE(
      '      - action: block\n        expression: >-\n          ssl and\n          http.request.ur.path eq "/é" and ▶http.request.metod eq "GET"\n',
    ).replace('http.request.ur.path', '▶http.request.ur.path'),
    [
      ['expression/unknown-field', 'did you mean http.request.uri.path? if the service has it, write'],
      ['expression/unknown-field', 'did you mean http.request.method?'],
    ],
  ],
  [
    'a custom ruleset of another phase',
    'account: a\nentrypoints:\n  http_ratelimit:\n    rules: [{action: execute, expression: cf.zone.plan eq "ENT", action_parameters: {id: ▶custom:x}}]\nrulesets:\n  - {name: X, phase: http_request_firewall_custom, rules: []}\n',
    [['config/ruleset-phase', 'zones/a.yaml:6:12']],
  ],
  [
    'a custom ruleset that is to be deleted',
    'zone: a\nentrypoints:\n  http_request_firewall_custom:\n    rules: [{action: execute, expression: "true", action_parameters: {id: ▶custom:x}}]\nrulesets:\n  - {name: X, phase: http_request_firewall_custom, absent: true}\n',
    [['config/ruleset-absent', 'zones/a.yaml:6:12']],
  ],
];

const ALIASED: readonly Case[] = [
  [
    'an alias twice',
    'zone: a\nentrypoints:\n  http_ratelimit:\n    rules: []\n  http_request_firewall_custom:\n    rules: [&a {ref: a, action: block, expression: ssl}]\nrulesets:\n  - {name: X, phase: http_request_firewall_custom, rules: [*a, ▶*a]}\n',
    [
      [
        'config/duplicate-ref',
        'the alias `*a` appears twice in this ruleset, so two of its rules have the ref "a"; the other one is at zones/a.yaml:8:60',
      ],
    ],
  ],
  [
    'an alias beside its anchor',
    ZONE('      - &a {ref: a, action: block, expression: ssl}\n      - ▶*a\n'),
    [
      [
        'config/duplicate-ref',
        'the alias `*a` repeats a name: another rule of this ruleset has the ref "a"; the other one is at zones/a.yaml:5:18',
      ],
    ],
  ],
  [
    'an alias of a ref',
    ZONE(
      '      - {ref: &r a, action: block, expression: ssl}\n      - {ref: ▶*r, action: log, expression: ssl}\n',
    ),
    [['config/duplicate-ref', 'the alias `*r` repeats a name']],
  ],
];

const HINTS: readonly Case[] = (
  [
    [
      'a list of the account in braces',
      'ip.src in {▶$office}',
      'as in `ip.src in $office`; a variable is written `${office}`',
    ],
    ['a list of the account among others', 'ip.src in {192.0.2.1 ▶$cf.vpn}', 'as in `ip.src in $cf.vpn`'],
    ['a list of the account in parentheses', 'ip.src in ▶($office)', 'is written alone'],
    ['a list where one text is compared', 'http.host eq ▶$host', 'a variable is written `${host}`'],
    ['a name behind in', 'ip.src in ▶office', 'is written `in $office`, a variable `in ${office}`, a set'],
    ['a text behind in', 'http.host in ▶"a"', 'a set is written in braces: `in {"a"}`'],
    ['an address behind in', 'ip.src in ▶192.0.2.0/24', '`in {192.0.2.0/24}`'],
    ['a number where a text is compared', 'http.host eq ▶5', 'put text in quotes: "5"'],
    [
      'a bare name where a text is compared',
      'http.host eq ▶example.com',
      'put text in quotes: "example.com"',
    ],
    ['a bare name that begins with hex digits', 'http.host eq ab.▶example.com', 'quotes: "ab.example.com"'],
    ['bare names in a set', 'http.host in {▶a.example b.example}', 'put text in quotes: "a.example"'],
    ['square brackets around a set', 'http.host in ▶["a" "b"]', 'a set is written in braces, with spaces'],
    ['parentheses around a set', 'ip.src in ▶(192.0.2.1)', 'a set is written in braces, with spaces'],
    ['a bare pattern', 'http.host matches ▶x+', 'put text in quotes: "x+"'],
    ['a mistyped operator', 'http.host ▶contans "a"', 'did you mean contains?'],
    ['a mistyped operator behind a call', 'lower(http.host) ▶matchs "a"', 'did you mean matches?'],
    ['an operator with a letter too many', 'http.host eq▶s "a"', 'did you mean eq?'],
    ['an operator of another language', 'http.host ▶is "a"', 'did you mean eq?'],
    ['an operator that begins as another one', 'http.host in▶cludes "a"', 'did you mean contains?'],
    ['half an operator', 'http.host ▶strict "a"', 'strict goes before wildcard'],
    ['a function as an operator', 'http.host ▶starts_with "a"', 'starts_with(field'],
    ['an unknown operator', 'http.host ▶resembling "a"', 'expected an operator after http.host'],
    ['a mistyped combination', 'ssl▶ adn ssl', 'did you mean and?'],
    ['a comma in a set', 'tcp.dstport in {80▶, 443}', 'separate them by spaces'],
    ['an address with a host part', 'ip.src in {▶10.1.1.1/24}', 'the network is 10.1.1.0/24'],
    [
      'an address of version 6 with a host part',
      'ip.src in {▶2001:db8::1/32}',
      'the network is 2001:db8::/32',
    ],
    ['a network that is too long', 'ip.src in {▶10.0.0.0/33}', 'at most 32; an address alone has no slash'],
    ['one of version 6', 'ip.src in {▶2001:db8::/129}', 'at most 128'],
    ['a mask', 'ip.src in {10.0.0.0/▶255.0.0.0}', 'a number of bits, such as 192.0.2.0/24'],
    ['a network without its length', 'ip.src in {10.0.0.0/▶}', 'a number of bits'],
    ['a number that no address has', 'ip.src in {▶10.0.0.256}', 'four numbers from 0 to 255'],
    ['the same compared', 'ip.src eq ▶10.0.0.256', 'four numbers from 0 to 255'],
    ['a range to half an address', 'ip.src in {1.2.3.4..▶1.2.3}', 'four numbers from 0 to 255'],
    ['text where a number is compared', 'tcp.dstport eq ▶"80"', 'numbers are written without quotes: 80'],
    [
      'the same with a word right behind',
      'tcp.dstport eq ▶"80"and ssl',
      'numbers are written without quotes: 80',
    ],
    ['a condition that is missing', 'ssl and▶', 'ends after `and`: a condition has to follow'],
    ['nothing behind not', 'ssl or not▶', 'ends after `not`: the condition that it negates'],
    ['a value that is missing', 'http.host eq▶', 'ends after `eq`: a value has to follow'],
    ['a set that is missing', 'http.host in▶', 'ends after `in`: a set has to follow'],
    [
      'a parenthesis without end',
      'ssl and ▶(http.host eq "a" or ssl',
      'nothing closes this `(`; write `)` where it ends',
    ],
    ['a call without end', 'starts_with▶(http.host, "a"', 'nothing closes this `(`'],
    [
      'a call without end before more',
      'starts_with(http.host, "a" ▶and ssl',
      'in `starts_with(http.hos…`, `,` comes before another argument, and `)` after the last',
    ],
    ['a set without end', 'http.host in ▶{"a" "b"', 'write `}` where it ends'],
    ['a set without end before more', 'ip.src in ▶{10.0.0.0/8 and ssl', 'write `}` before `and ssl`'],
    ['a text without end', 'http.host eq ▶"a', 'nothing closes this `"`'],
    [
      'a text whose end is missing, before another one',
      'http.host eq "a and http.host eq "▶b"',
      'a text ends right before this; close the text `"a and http.host eq…`',
    ],
    ['the same in a set', 'http.host in {"a "▶b"}', 'close the text `"a "`'],
    ['the same in a call', 'concat("a, http.host) eq "▶x"', 'close the text `"a, http.host) eq "`'],
    ['a quotation mark inside of a text', 'http.host eq "he said "▶hi" to"', 'is written \\"'],
    ['a regular expression without end', 'http.host matches ▶"[a-"', 'nothing closes `[a-"`'],
    ['typographic quotation marks', 'http.host eq ▶“a”', 'that is a typographic quotation mark'],
    ['single quotation marks', "http.host eq ▶''a''", 'texts are written in double quotes'],
    ['an unusual blank', 'http.host▶\u00a0eq "a"', 'write a plain space'],
    ['a dash', 'tcp.dstport gt ▶–5', 'a dash and not a minus sign'],
  ] as const
).map(([what, text, hint]) => [
  what,
  ZONE(`      - action: block\n        expression: '${text}'\n`),
  [[text.includes('▶,') ? 'expression/set-comma' : 'expression/syntax', hint]],
]);

/** Expressions that YAML cuts off at a comment sign. */
const COMMENTS: readonly Case[] = (
  [
    ['a condition that goes on in a comment', 'ssl or▶ # foo', 'YAML reads ` # foo` as a comment'],
    ['a text that goes on in a comment', 'http.host contains ▶"a # b" or ssl', 'as a comment'],
    ['a parenthesis that a comment swallows', '▶(ssl or http.host eq "a" #1)', 'as a comment'],
    ['a comment behind another mistake', 'http.host ▶contans "a" # why', 'did you mean contains?'],
  ] as const
).map(([what, text, hint]) => [
  what,
  ZONE(`      - action: block\n        expression: ${text}\n`),
  [['expression/syntax', hint]],
]);

const SCOPES: readonly Case[] = [
  [
    'an entry point in two files',
    {
      'zones/a.yaml': 'zone: a\nentrypoints:\n  http_ratelimit: {rules: []}\n',
      'zones/b.yaml': 'zone: a\nentrypoints:\n  ▶http_ratelimit: {rules: []}\n',
    },
    [['config/duplicate-entrypoint', 'zones/a.yaml:3:3']],
  ],
  [
    'an entry point twice in one file',
    'zone: a\nentrypoints:\n  http_ratelimit: {rules: []}\n  ▶http_ratelimit: {rules: []}\n',
    [['yaml/duplicate-key', 'keep one']],
  ],
  [
    'a custom ruleset twice',
    'zone: a\nrulesets:\n  - {name: X, phase: http_request_firewall_custom, rules: []}\n  - {name: ▶X, phase: http_request_firewall_custom, rules: []}\n',
    [['config/duplicate-ruleset', 'zones/a.yaml:3:12']],
  ],
  [
    'two names with one slug',
    'zone: a\nrulesets:\n  - {name: A B, phase: http_request_firewall_custom, rules: []}\n  - {name: ▶a-b, phase: http_request_firewall_custom, rules: []}\n',
    [['config/slug-collision', 'zones/a.yaml:3:12']],
  ],
  [
    'a name without a slug',
    'zone: a\nrulesets:\n  - {name: ▶"***", phase: http_request_firewall_custom, rules: []}\n',
    [['config/slug-collision', 'Latin letters']],
  ],
  [
    'files of a scope that disagree',
    {
      'zones/a.yaml': 'zone: a\nownership: {rulesets: all}\n',
      'zones/b.yaml': 'zone: a\nownership: {rulesets: ▶declared}\n',
    },
    [['config/scope-setting-conflict', 'zones/a.yaml:2:23']],
  ],
  [
    'tokens of a scope that disagree',
    { 'zones/a.yaml': 'zone: a\ntoken_env: A\n', 'zones/b.yaml': 'zone: a\ntoken_env: ▶B\n' },
    [['config/scope-setting-conflict', 'say it once']],
  ],
  [
    'refs outside of the ownership patterns',
    ZONE(
      '      - {ref: ▶block, action: block, expression: "true"}\n      - {▶action: log, expression: "true"}\n      - {ref: shop-x, action: log, expression: "true"}\n',
    ).replace('entrypoints', 'ownership: {rules: ["shop-*"]}\nentrypoints'),
    [
      [
        'config/ref-not-owned',
        'add it, or a pattern that matches it, to `ownership.rules`, or rename it to match `shop-*`; if the rule belongs to others, remove it',
      ],
      ['config/ref-not-owned', 'give it a `ref` that matches `shop-*`'],
    ],
  ],
  [
    'an id as a ref under a pattern that matches any name',
    ZONE('      - {ref: ▶0123456789abcdef0123456789abcdef, action: block, expression: "true"}\n').replace(
      'entrypoints',
      'ownership: {rules: ["*"]}\nentrypoints',
    ),
    [
      [
        'config/ref-not-owned',
        'add the id itself to `ownership.rules`, or rename it to match `*` with `adopt: true`; if',
      ],
    ],
  ],
];

const PROJECTS: readonly Case[] = [
  ['an empty project file', { 'rulewright.yaml': '▶' }, [['yaml/empty-file', 'write the document']]],
  [
    'a project of another version',
    { 'rulewright.yaml': 'version: ▶2\nfiles: [a.yaml]\n' },
    [['schema/unknown-value', 'write `1`']],
  ],
  [
    'a project without files',
    { 'rulewright.yaml': '▶version: 1\n' },
    [['schema/missing-key', 'zones/*.yaml']],
  ],
  [
    'an empty list of files',
    { 'rulewright.yaml': 'version: 1\n▶files: []\n' },
    [['schema/out-of-bounds', 'needs 1 item']],
  ],
  [
    'a file that does not exist',
    { 'rulewright.yaml': 'version: 1\nfiles: [▶zone.yaml]\n' },
    [['config/file-not-found', 'relative to the project file']],
  ],
  [
    'what names no file, by its slip',
    {
      'rulewright.yaml': String.raw`version: 1
files: [▶zones, ▶zones/, ▶./rulewright.yaml, ▶node_modules/a.yaml, ▶zone/a.yaml, ▶zones\a.yaml, ▶zones\*.yml, ▶"!zones/b.yaml", ▶"zones/*.yml "]
`,
      'node_modules/a.yaml': 'zone: a\n',
      'zones/a.yaml': 'zone: a\n',
    },
    [
      ['config/file-not-found', 'zones is a folder; name its files: `zones/*.yaml`'],
      ['config/file-not-found', 'zones/ is a folder; name its files: `zones/*.yaml`'],
      ['config/file-not-found', './rulewright.yaml is the project file itself'],
      ['config/file-not-found', 'outside of `node_modules`'],
      ['config/file-not-found', 'did you mean zones/a.yaml?'],
      ['config/file-not-found', 'separated by `/`'],
      ['config/file-not-found', 'separated by `/`'],
      ['config/empty-glob', 'leaves none out'],
      ['config/empty-glob', 'a space at its start or end'],
    ],
  ],
  [
    'an empty glob',
    { 'rulewright.yaml': 'version: 1\nfiles: [▶zones/*.yml]\n' },
    [['config/empty-glob', 'remove it']],
  ],
  [
    'a path that leaves the project',
    { 'rulewright.yaml': 'version: 1\nfiles: [▶../a.yaml, ▶/etc/a.yaml]\n' },
    [
      ['config/path-outside', 'relative'],
      ['config/path-outside', 'relative'],
    ],
  ],
  [
    'patterns that could match in too many ways',
    {
      'rulewright.yaml': `version: 1\nfiles: [▶"${'*a'.repeat(40)}", ▶"+(+(a)+(a))+(a|aa)!(x)", ▶"${'(a)?'.repeat(40)}", ▶"${'(a*)/'.repeat(40)}", ▶"${'**/a*/'.repeat(9)}a", ▶"${'{a,aa}'.repeat(40)}", ▶"${'[a]?'.repeat(40)}", ▶"${'{*a,*b,c/d}'.repeat(4)}", ▶"${'{*a,*b,c/d}'.repeat(12)}", ▶"${'a'.repeat(1001)}"]\n`,
    },
    [
      ['config/pattern-too-open', 'more than 3 of'],
      ['config/pattern-too-open', 'parentheses'],
      ['config/pattern-too-open', 'parentheses'],
      ['config/pattern-too-open', 'parentheses'],
      ['config/pattern-too-open', 'more than 3 `**`'],
      ['config/pattern-too-open', 'more than 3 of'],
      ['config/pattern-too-open', 'more than 3 of'],
      ['config/pattern-too-open', 'more than 3 of'],
      ['config/pattern-too-open', 'stands for more than 250 other patterns'],
      ['config/pattern-too-open', 'longer than 1000'],
    ],
  ],
  [
    'a threshold without sign',
    {
      'a.yaml': 'zone: a\n',
      'rulewright.yaml': 'version: 1\nfiles: [a.yaml]\nsafety: {max_deleted: ▶a lot}\n',
    },
    [['schema/wrong-form', '30%']],
  ],
  [
    'an unknown kind of allowance',
    {
      'a.yaml': 'zone: a\n',
      'rulewright.yaml':
        'version: 1\nfiles: [a.yaml]\nsafety: {allow: [{kind: ▶weaken, reason: a, until: "2030-01-01"}]}\n',
    },
    [['schema/unknown-value', 'did you mean `weakened`?']],
  ],
  [
    'an allowance without an end',
    {
      'a.yaml': 'zone: a\n',
      'rulewright.yaml': 'version: 1\nfiles: [a.yaml]\nsafety: {allow: [{▶kind: weakened, reason: a}]}\n',
    },
    [['schema/missing-key', '`until` is missing']],
  ],
  [
    'a day that the calendar does not have',
    {
      'rulewright.yaml':
        'version: 1\nfiles: [▶zones/*.yaml]\nsafety: {allow: [{kind: deleted, reason: a, until: ▶2026-02-30}]}\n',
    },
    [
      ['config/empty-glob', 'matches no file'],
      ['config/no-such-day', '2026-02-30'],
    ],
  ],
  [
    'an ownership that is neither all nor patterns',
    { 'a.yaml': 'zone: a\n', 'rulewright.yaml': 'version: 1\nfiles: [a.yaml]\nownership: {rules: ▶mine}\n' },
    [['schema/wrong-form', 'list of patterns']],
  ],
];

/** An account rule that runs a managed ruleset. */
const ACCOUNT = (expression: string): string =>
  ZONE(
    `      - {ref: run, action: execute, expression: ${expression}, action_parameters: {id: managed:x}}\n`,
    'http_request_firewall_managed',
  ).replace('zone: shop.example', 'account: Shop');

const CLAUSES: readonly Case[] = [
  '▶"true"',
  '▶ssl and cf.zone.plan eq "ENT"',
  '▶(ssl)',
  '▶cf.zone.plan eq "ENT" or ssl',
  '▶(ssl) or ▶(http.host eq "a") and cf.zone.plan eq "ENT"',
].map((expression): Case => [
  `an account rule with the expression ${expression}`,
  ACCOUNT(expression),
  [
    ['config/enterprise-clause', 'cf.zone.plan eq "ENT"'],
    ...(expression.includes(') or ')
      ? [['expression/mixed-operators', 'say so with parentheses'] as const]
      : []),
  ],
]);

describe.each([
  ['YAML', YAML],
  ['the schema', SCHEMA],
  ['a rule', RULES],
  ['a list with aliases', ALIASED],
  ['an expression', [...HINTS, ...COMMENTS]],
  ['an account rule', CLAUSES],
  ['a scope', SCOPES],
  ['the project file', PROJECTS],
] as const)('bad input to %s', (_, cases) => {
  test.each(cases)('%s', async (_, input, expected) => {
    const result = await expectFindings(input, expected);
    expect(result.kind).toBe('invalid');
  });
});
