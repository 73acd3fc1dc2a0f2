import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { Language, Parser } from 'web-tree-sitter';
import { commentedResources, commentsOfRules, literalLocals } from '../../src/import/index.ts';

let parser: Parser;

beforeAll(async () => {
  await Parser.init();
  parser = new Parser();
  const grammar = 'node_modules/@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm';
  parser.setLanguage(await Language.load(await readFile(grammar)));
});

const read = (text: string) => commentedResources(parser, { path: 'main.tf', text }, ['cloudflare_ruleset']);

/** The comments of the rules of the first ruleset for rules of a state. */
const forRules = (text: string, stated: readonly Readonly<Record<string, unknown>>[]) => {
  const [one] = read(text);
  const { comments, lost } = commentsOfRules(
    one ?? { type: '', name: '', path: '', above: [], rules: [], isComputed: false, each: null, locals: [] },
    stated,
  );
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
  expect(Object.fromEntries(literalLocals(parser, text))).toEqual({
    office: { value: ['203.0.113.0/24', 'b'], above: ['Ours.'] },
    count: { value: 5, above: [] },
    zones: { value: { 'shop.example': { limit: 50 }, blog: { on: true } }, above: [] },
  });
  expect(read(text).map(({ each, locals }) => [each, locals])).toEqual([
    [{ kind: 'local', name: 'zones' }, ['zones', 'office']],
    [{ kind: 'literal', items: { x: { limit: 1 } } }, []],
    [null, ['mixed']],
  ]);
});
