import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { Language, Parser } from 'web-tree-sitter';
import { commentsOfRules, configurationBlocks } from '../../src/import/index.ts';

let parser: Parser;

beforeAll(async () => {
  await Parser.init();
  parser = new Parser();
  const grammar = 'node_modules/@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm';
  parser.setLanguage(await Language.load(await readFile(grammar)));
});

const blocks = (text: string) =>
  configurationBlocks(parser, { path: 'main.tf', text }, ['cloudflare_ruleset']);
const read = (text: string) => blocks(text).resources;

/** The comments of the rules of the first ruleset for rules of a state. */
const forRules = (text: string, stated: readonly Readonly<Record<string, unknown>>[]) => {
  const [one] = read(text);
  const { comments, lost } = commentsOfRules(one ?? { rules: [], isComputed: false }, stated);
  return { comments: Object.fromEntries(comments), lost };
};

test('comments directly above blocks and rules of version 4 are read', () => {
  const text = `
# About the file.

# The WAF.
# Ask Ann.
resource "cloudflare_ruleset" "waf" { # beside
  # Block admin.
  rules {
    # inside
    expression = "true"
  }
  /*
   * Log
   * the rest.
   */
  rules {
    action = "log"
  } # beside

  rules {
    action = "skip"
  }
}
# Another type.
resource "cloudflare_list" "l" {}
`;
  expect(read(text)).toMatchObject([
    {
      name: 'waf',
      above: ['The WAF.', 'Ask Ann.'],
      rules: [{ comments: ['Block admin.'] }, { comments: ['Log', 'the rest.'] }, { comments: [] }],
      isComputed: false,
    },
  ]);
});

test('the first block has the comments above it, and the others their own', () => {
  const text = '# one\nresource "cloudflare_ruleset" "a" {}\nresource "cloudflare_ruleset" "b" {}\n';
  expect(read(text).map(({ name, above }) => [name, above])).toEqual([
    ['a', ['one']],
    ['b', []],
  ]);
});

const LIST = `
resource "cloudflare_ruleset" "waf" {
  rules = [
    # one
    { expression = "a", ref = "one" },
    { ref = "two", action = var.action },
    // three
    {
      description = "the third"
    },
  ]
}
`;

test('rules of version 5 are found again by their places', () => {
  expect(read(LIST)[0]?.isComputed).toBe(false);
  expect(
    forRules(LIST, [{ ref: 'one', expression: 'a' }, { ref: 'two' }, { description: 'the third' }]),
  ).toEqual({
    comments: { 0: ['one'], 2: ['three'] },
    lost: 0,
  });
});

test('rules beside computed ones are found again by what is literal, or not at all', () => {
  const text = LIST.replace('{ ref = "two", action = var.action },', 'local.more,');
  expect(read(text)[0]?.isComputed).toBe(true);
  expect(forRules(text, [{ ref: 'x' }, { description: 'the third' }, { ref: 'y' }, { ref: 'one' }])).toEqual({
    comments: { 3: ['one'], 1: ['three'] },
    lost: 0,
  });
  expect(forRules(text, [{ description: 'the third' }, { description: 'the third' }])).toEqual({
    comments: {},
    lost: 2,
  });
});

test.each([
  ['a loop', 'resource "cloudflare_ruleset" "waf" {\n rules = [for x in local.l : { ref = x }]\n}\n'],
  [
    'a dynamic block',
    'resource "cloudflare_ruleset" "waf" {\n dynamic "rules" {\n for_each = local.l\n }\n}\n',
  ],
])('%s computes rules', (_name, text) => {
  expect(read(text)).toMatchObject([{ rules: [], isComputed: true }]);
});

test.each([
  '',
  'resource "cloudflare_ruleset" "waf" {',
  '{{{{',
  '\0',
  '# '.repeat(100_000),
  '['.repeat(5000),
])('broken files give nothing (case %#)', (text) => {
  expect(read(text)).toEqual([]);
});

test('what is spelled out is read, and what is computed is not', () => {
  const text = `
locals {
  # Ours.
  office = ["203.0.113.0/24", "b"]
  count  = 5
  mixed  = [var.a, "b"]
  joined = join(" ", local.office)
  quoted = "a\\"b"
  zones  = { "shop.example" = { limit = 50, id = cloudflare_zone.x.id }, (local.count) = { limit = 1 }, blog : { on = true } }
}
resource "cloudflare_ruleset" "a" {
  for_each = local.zones
  name     = "\${local.office[0]}"
}
resource "cloudflare_ruleset" "b" {
  for_each = { x = { limit = 1 } }
}
resource "cloudflare_ruleset" "c" {
  for_each = toset(local.mixed)
}
`;
  expect(Object.fromEntries(blocks(text).literals)).toEqual({
    'local.office': { value: ['203.0.113.0/24', 'b'], above: ['Ours.'] },
    'local.count': { value: 5, above: [] },
    'local.zones': { value: { 'shop.example': { limit: 50 }, blog: { on: true } }, above: [] },
  });
  expect(read(text).map(({ each }) => each)).toEqual([
    { kind: 'named', name: 'local.zones' },
    { kind: 'literal', value: { x: { limit: 1 } } },
    null,
  ]);
});

test('defaults of variables count, those of secrets do not, and modules say what they give', () => {
  const text = `
# How many.
variable "limit" { default = 5 }
variable "none" {}
variable "key" {
  default   = "hunter2"
  sensitive = true
}
module "zone" {
  source   = "./zone"
  for_each = var.zones
  limit    = local.limit
  computed = local.limit + 1
}
`;
  const { literals, sensitive, calls } = blocks(text);
  expect(Object.fromEntries(literals)).toEqual({ 'var.limit': { value: 5, above: ['How many.'] } });
  expect([...sensitive]).toEqual(['var.key']);
  expect(calls).toEqual([
    {
      name: 'zone',
      path: 'main.tf',
      each: { kind: 'named', name: 'var.zones' },
      values: new Map<string, unknown>([
        ['source', { kind: 'literal', value: './zone' }],
        ['for_each', { kind: 'named', name: 'var.zones' }],
        ['limit', { kind: 'named', name: 'local.limit' }],
      ]),
    },
  ]);
});

test('what a block names or computes is told by attribute, text, line and names', () => {
  const text = `resource "cloudflare_ruleset" "a" {
  for_each = local.zones
  zone_id  = each.value.id
  name     = "x \${local.brand} y \${each.value.z}"
  rules = [for k, v in local.rules : { action = v.action, "on" = ssl ? local.a : 1 }]
  description = local.limits.login
  dynamic "rules" {
    for_each = var.more
    content {
      expression = "a \${join(
        " ", local.office)}"
      enabled    = (local.on)
      ratelimit { period = 60 }
    }
  }
  other = concat([{ e = local.e }], local.more)
  lifecycle { ignore_changes = [local.x] }
}
`;
  expect(read(text)[0]?.uses).toEqual([
    { attribute: 'name', text: 'local.brand', line: 4, names: ['local.brand'] },
    { attribute: 'rules', text: '[for k, v in local.rules : …]', line: 5, names: ['local.rules'] },
    { attribute: 'on', text: 'ssl ? local.a : 1', line: 5, names: ['local.a'] },
    { attribute: 'description', text: 'local.limits.login', line: 6, names: ['local.limits.login'] },
    { attribute: 'rules', text: 'var.more', line: 8, names: ['var.more'] },
    { attribute: 'expression', text: 'join( " ", local.office)', line: 10, names: ['local.office'] },
    { attribute: 'enabled', text: 'local.on', line: 12, names: ['local.on'] },
    { attribute: 'other', text: 'concat([{…}], local.more)', line: 16, names: ['local.more'] },
    { attribute: 'e', text: 'local.e', line: 16, names: ['local.e'] },
  ]);
});

test.each(['[', '{ a = ', '(', '"${'])('what is nested too deeply is passed over (%s)', (open) => {
  const close = { '[': ']', '(': ')', '{ a = ': '}', '"${': '}"' }[open] ?? '';
  const deep = `${open.repeat(5000)}1${close.repeat(5000)}`;
  const text = `locals {\n a = ${deep}\n}\nresource "cloudflare_ruleset" "a" {\n rules = ${deep}\n}\n`;
  const { literals, resources } = blocks(text);
  expect(resources.flatMap(({ uses }) => uses)).toEqual([]);
  expect(JSON.stringify([...literals.values()]).length).toBeLessThan(1000);
});
