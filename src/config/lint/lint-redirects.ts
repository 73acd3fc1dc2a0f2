import type { Diagnostic } from '../../model/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { objectOf } from '../../data/index.ts';
import { hasReference, phasesOfKind } from '../../model/index.ts';
import type { Argument, Condition, Tree } from '../../expression/index.ts';
import {
  excludes,
  implies,
  parseExpression,
  quoteText,
  takeInventory,
  flatten,
  plainField,
} from '../../expression/index.ts';
import { finding } from '../source/finding.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';

/** An address with scheme and host, that of an app too, or a path of the same host. */
const ADDRESS = /^(?:https?:\/\/[^\s/]\S*|(?!https?:)[a-z][a-z\d+.-]*:\/\/\S+|\/\S*)$/iu;

/** Reports a redirect to a text that is no address: the service takes any text (api.md 5.6), and browsers look for it below the path. */
export function lintRedirectTarget(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const target = objectOf(objectOf(value['action_parameters'])['from_value'])['target_url'];
  const { value: text } = objectOf(target);
  return typeof text !== 'string' || isAddress(text)
    ? []
    : [
        finding('lint/redirect-target', {
          message: 'the redirect target is not a URL',
          hint: 'write the whole URL, such as `https://shop.example/`; what is computed goes into `expression` instead of `value`',
          where: locateValue(document, [...path, 'action_parameters', 'from_value', 'target_url', 'value']),
        }),
      ];
}

function isAddress(text: string): boolean {
  return ADDRESS.test(text) && URL.canParse(text, 'https://a.example/');
}

/** More redirects than a zone can have (api.md 8.1) are not compared with each other. */
const MOST_RULES = 300;

/** Phases whose redirects say themselves where they lead. */
const TARGETS_WRITTEN = phasesOfKind('redirect', 'from_value');

/**
 * Reports redirects to what the same rule redirects again, without end. Only what is proven: each part of the target is known or that of the request,
 * the host is one that the condition names, and no rule before it can match there. Assumed: a visitor's address and browser stay the same.
 */
export function lintRedirectLoops({ address, document, rules }: DeclaredRuleset): readonly Diagnostic[] {
  const enabled = rules.filter(({ value }) => value['enabled'] !== false);
  return address.kind !== 'entrypoint' ||
    !TARGETS_WRITTEN.includes(address.phase) ||
    enabled.length > MOST_RULES
    ? []
    : enabled.flatMap(({ path, value }, index) => {
        const target = loopOf(value, enabled.slice(0, index));
        return target === undefined
          ? []
          : [
              finding('lint/redirect-loop', {
                message: 'this redirect never ends: what it leads to meets its own condition again',
                hint: hintFor(target),
                where: locateKey(document, [...path, 'action_parameters', 'from_value', 'target_url']),
              }),
            ];
      });
}

function hintFor({ host, path, isSecure }: LintedTarget): string {
  const there = path?.fact ?? host?.fact ?? (isSecure === true ? 'ssl' : undefined);
  return there === undefined
    ? 'let it lead elsewhere, or take the rule out'
    : `require \`not ${there}\` in its expression too, or let it lead elsewhere`;
}

/** Returns the target of a redirect that provably meets its own condition there. */
function loopOf(rule: JsonObject, earlier: readonly DeclaredRule[]): LintedTarget | undefined {
  const own = filterOf(rule['expression']);
  const target = own === undefined ? undefined : targetOf(rule, own.tree);
  if (own === undefined || target === undefined || !isNamed(target.host, own)) {
    return undefined;
  }
  const there = filterOf(target.facts.join(' and '))?.tree;
  const both = filterOf([...target.facts, `(${own.text})`].join(' and '))?.tree;
  if (there === undefined || both === undefined) {
    return undefined;
  }
  const isMet = flatten(own.tree.root, 'and').every(
    (clause) => isKept(target, clause) || implies(there, { mode: 'filter', root: clause }),
  );
  const isPassed = ({ value }: DeclaredRule): boolean => {
    const other = filterOf(value['expression'])?.tree;
    return other !== undefined && (isKept(target, other.root) || excludes(both, other));
  };
  return isMet && earlier.every(isPassed) ? target : undefined;
}

/** Fields that say who asks, and in which zone, and not for what. */
const OF_VISITOR = /^(?:ip\.|cf\.zone\.|http\.user_agent$)/u;

/** Whether a condition holds after the redirect if, and only if, it held before. */
function isKept({ kept }: LintedTarget, condition: Condition): boolean {
  return takeInventory('', { mode: 'filter', root: condition }).fields.every(
    ({ name }) => kept.has(name) || OF_VISITOR.test(name),
  );
}

/** Whether a host is that of the request or one that the condition names: other hosts of the zone may have their traffic elsewhere. */
function isNamed(host: KnownUrlPart | undefined, { text, tree }: ParsedFilter): boolean {
  return (
    host === undefined ||
    text.includes(`://${host.text}/`) ||
    takeInventory('', tree).comparisons.some(
      ({ left, right }) =>
        plainField(left) === 'http.host' &&
        (right.kind === 'set' && right.of === 'Bytes' ? right.items : [right]).some(
          (item) => item.kind === 'bytes' && item.value === host.text,
        ),
    )
  );
}

interface ParsedFilter {
  readonly text: string;
  readonly tree: Extract<Tree, { readonly mode: 'filter' }>;
}

/** A value that is not to be known is not judged by its name. */
function filterOf(text: unknown): ParsedFilter | undefined {
  if (typeof text !== 'string' || hasReference(text)) {
    return undefined;
  }
  const parsed = parseExpression(text);
  return parsed.ok && parsed.tree.mode === 'filter' ? { text, tree: parsed.tree } : undefined;
}

/** A part of a URL that is known, at least in how it begins, and what that says of a request for it. */
interface KnownUrlPart {
  readonly text: string;
  readonly isWhole: boolean;
  readonly fact: string;
}

function known(field: string, text: string, isWhole = true): KnownUrlPart {
  const fact = isWhole ? `${field} eq ${quoteText(text)}` : `starts_with(${field}, ${quoteText(text)})`;
  return { text, isWhole, fact };
}

/** Where a redirect leads; parts that are undefined are as in the request, or not known. */
interface LintedTarget {
  readonly host: KnownUrlPart | undefined;
  readonly path: KnownUrlPart | undefined;
  readonly isSecure: boolean | undefined;
  /** What is true of the request for it, with the method that browsers follow redirects with. */
  readonly facts: readonly string[];
  /** The fields that are as in the request. */
  readonly kept: ReadonlySet<string>;
}

/** Scheme and host, if any, then path and query; `<its name>` stands for a field of the request, and `<>` for what is not known. */
const FORM =
  /^(?:(https?):\/\/(<http\.host>|[a-z\d.-]+))?(?:(<http\.request\.uri>)|(<http\.request\.uri\.path>|\/[\w.~/-]*)(<.*)?(?:\?([\w.~=&-]*))?)$/u;

/** Scheme and host without a path, which is then `/` (RFC 9110 4.2.3). */
const NO_PATH = /^(https?:\/\/(?:<http\.host>|[a-z\d.-]+))(?=\?|$)/u;

/** A path that is another one when the service has normalized it (rules-language.md 5). */
const NOT_NORMAL = /\/\/|\/\.{1,2}(?:\/|$)/u;

function targetOf(rule: JsonObject, condition: ParsedFilter['tree']): LintedTarget | undefined {
  const value = objectOf(objectOf(rule['action_parameters'])['from_value']);
  const text = textOf(objectOf(value['target_url']), condition) ?? '';
  const parts = FORM.exec(text.replace(NO_PATH, '$1/'));
  if (parts === null) {
    return undefined;
  }
  const [, scheme, name = '<', uri, written = '<', more, search = ''] = parts;
  const isSamePath = written.startsWith('<') && more === undefined;
  if (NOT_NORMAL.test(written) || (written.startsWith('<') && !isSamePath)) {
    return undefined;
  }
  const keepsQuery = value['preserve_query_string'] === true;
  const isSameQuery = uri !== undefined || (keepsQuery && more === undefined && search === '');
  const isSameHost = name.startsWith('<');
  const host = isSameHost ? undefined : known('http.host', name);
  const path = isSamePath ? undefined : known('http.request.uri.path', written, more === undefined);
  const query =
    isSameQuery || keepsQuery || more !== undefined ? undefined : known('http.request.uri.query', search);
  const isSecure = scheme === undefined ? undefined : scheme === 'https';
  const isWhole = path?.isWhole === true && query !== undefined;
  const rest = `${path?.text ?? '/'}${isWhole && search !== '' ? `?${search}` : ''}`;
  return {
    host,
    path,
    isSecure,
    facts: [
      'http.request.method eq "GET"',
      ...(isSecure === undefined ? [] : [isSecure ? 'ssl' : 'not ssl']),
      ...[host, path, query].flatMap((part) => (part === undefined ? [] : [part.fact])),
      known('http.request.uri', rest, isWhole).fact,
      ...(scheme === undefined || isSameHost
        ? []
        : [known('http.request.full_uri', `${scheme}://${name}${rest}`, isWhole).fact]),
    ],
    kept: new Set([
      ...(isSecure === undefined ? ['ssl'] : []),
      ...(isSameHost ? ['http.host'] : []),
      ...(isSamePath ? ['http.request.uri.path', 'http.request.uri.path.extension'] : []),
      ...(isSameQuery ? QUERY : []),
      ...(isSamePath && isSameQuery ? ['http.request.uri'] : []),
    ]),
  };
}

const QUERY = [
  'http.request.uri.query',
  'http.request.uri.args',
  'http.request.uri.args.names',
  'http.request.uri.args.values',
] as const;

/** Returns the text of a target in the form of `FORM`; undefined when not enough of it is known. */
function textOf({ value, expression }: JsonObject, condition: ParsedFilter['tree']): string | undefined {
  if (typeof value === 'string') {
    return hasReference(value) || value.includes('<') ? undefined : value;
  }
  const parsed =
    typeof expression === 'string' && !hasReference(expression)
      ? parseExpression(expression, { mode: 'value' })
      : undefined;
  return parsed?.ok === true && parsed.tree.mode === 'value'
    ? textOfPart(parsed.tree.root, condition)
    : undefined;
}

function textOfPart(part: Argument, condition: ParsedFilter['tree']): string | undefined {
  if (part.kind === 'bytes') {
    return /[<>]/u.test(part.value) ? undefined : part.value;
  }
  if (part.kind !== 'operand' || part.indexes.length > 0) {
    return undefined;
  }
  const { source } = part;
  if (source.kind === 'field') {
    return `<${source.name}>`;
  }
  switch (source.name) {
    case 'concat': {
      const texts = source.arguments.map((argument) => textOfPart(argument, condition));
      return texts.includes(undefined) ? undefined : texts.join('');
    }
    case 'wildcard_replace':
      return replacedText(source.arguments, condition);
    default:
      return undefined;
  }
}

/** What a replacement begins with, if the pattern is that of the condition: a text without a match is not replaced. */
function replacedText(
  [source, pattern, replacement]: readonly Argument[],
  condition: ParsedFilter['tree'],
): string | undefined {
  const field = source?.kind === 'operand' ? plainField(source) : undefined;
  if (field === undefined || pattern?.kind !== 'bytes' || replacement?.kind !== 'bytes') {
    return undefined;
  }
  const match = filterOf(`${field} wildcard ${pattern.text}`)?.tree;
  const [start = ''] = replacement.value.split('$', 1);
  const rest = start === replacement.value ? '' : '<>';
  return match !== undefined && implies(condition, match) && !/[<>]/u.test(start) ? start + rest : undefined;
}
