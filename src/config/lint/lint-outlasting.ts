import type { Diagnostic } from '../../model/index.ts';
import {
  actionKind,
  TRANSPORT_SECURITY,
  headerRewrites,
  isVersion,
  listItemKey,
  spanFrom,
  readCacheSettings,
  transportSecuritySeconds,
} from '../../model/index.ts';
import { isJsonObject, objectOf, textOf } from '../../data/index.ts';
import type { JsonObject } from '../../data/index.ts';
import { splitWindow } from '../../expression/index.ts';
import { duration } from '../../text/index.ts';
import type { Declaration } from '../project/desired-scope.ts';
import { finding } from '../source/finding.ts';
import { windowsOf } from '../project/rule-window.ts';
import type { DeclaredRule, DeclaredRuleset } from '../project/scope-file.ts';
import { locateKey, locateValue } from '../yaml/yaml-document.ts';
import type { ValuePath } from '../yaml/yaml-document.ts';

/** An effect that goes on when the rule has ended. */
interface Outlasting {
  /** Where it is written, from the rule. */
  readonly path: ValuePath;
  readonly what: string;
  readonly hint: string;
}

/** Cached for less than this after the end, nobody will notice. */
const NOTICED_SECONDS = 3600;

const PERMANENT: readonly unknown[] = [301, 308];

/** Reports what goes on after a rule with an end has ended (redirects and policies that browsers keep, what lies in caches, limits), and what it counts outside of its window. */
export function lintOutlasting(ruleset: DeclaredRuleset, rule: DeclaredRule): readonly Diagnostic[] {
  const { document } = ruleset;
  const { path, value } = rule;
  const has = (side: string) => windowsOf(ruleset, rule).some((window) => window.value[side] !== undefined);
  const [begins, ends] = [has('from'), has('until')];
  return [...(ends ? outlasting(value) : []), ...counting(value, { begins, ends })].map(
    ({ path: inner, what, hint }) => {
      const at = [...path, ...inner];
      const where =
        inner.at(-1) === 'counting_expression' ? locateKey(document, at) : locateValue(document, at);
      return finding('active/outlasts', { message: what, hint, where });
    },
  );
}

/** Reports rules with an end that take their redirects from a declared list in which one is permanent. Declarations of one account are in several files. */
export function lintListRedirects(
  declarations: readonly Pick<Declaration, 'scope' | 'lists' | 'rulesets'>[],
): readonly Diagnostic[] {
  const permanent = new Map(
    declarations.flatMap(({ scope, lists }) =>
      lists.flatMap(({ name, desired: { items } }) => {
        const first =
          items === 'external'
            ? undefined
            : items.find((item) => 'status_code' in item && PERMANENT.includes(item.status_code));
        return first === undefined ? [] : [[`${scope.name} ${name}`, listItemKey(first)] as const];
      }),
    ),
  );
  return declarations.flatMap(({ scope, rulesets }) =>
    rulesets.flatMap(({ rules }) =>
      rules.flatMap(({ content: { expression, action_parameters: parameters }, cause }) => {
        const name = textOf(objectOf(objectOf(parameters)['from_list'])['name']);
        const item = permanent.get(`${scope.name} ${name}`);
        return item === undefined || isVersion(cause) || splitWindow(expression)?.window.until === undefined
          ? []
          : [
              finding('active/outlasts', {
                message: `browsers keep a permanent redirect for as long as they like, also after the rule has ended: the list ${name} has one, ${item}`,
                hint: 'give such items of the list the `status_code` 302, or 307 to keep the method',
                where: spanFrom(cause),
              }),
            ];
      }),
    ),
  );
}

function outlasting(rule: JsonObject): readonly Outlasting[] {
  const parameters = objectOf(rule['action_parameters']);
  return [
    ...keptRedirect(rule, parameters),
    ...keptCopies(parameters),
    ...keptByHeader(parameters),
    ...keptPolicy(parameters),
    ...keptStop(rule),
  ];
}

function keptRedirect(rule: JsonObject, { from_value: target }: JsonObject): readonly Outlasting[] {
  if (actionKind(textOf(rule['action'])) !== 'redirect' || !isJsonObject(target)) {
    return [];
  }
  const { status_code: status } = target;
  return status === undefined || PERMANENT.includes(status)
    ? [
        {
          path: ['action_parameters', 'from_value', ...(status === undefined ? [] : ['status_code'])],
          what: `browsers keep a permanent redirect (${status === undefined ? '301, the default' : textOrNumber(status)}) for as long as they like, also after the rule has ended`,
          hint: 'set `status_code: 302`, or 307 to keep the method',
        },
      ]
    : [];
}

function textOrNumber(status: unknown): string {
  return typeof status === 'number' ? `${status}` : '';
}

function keptCopies(parameters: JsonObject): readonly Outlasting[] {
  const { edgeSeconds, browserSeconds, statusTimes } = readCacheSettings(parameters);
  const byStatus = Math.max(0, ...statusTimes.map(({ seconds }) => seconds ?? 0));
  return [
    ...kept(['edge_ttl', 'default'], edgeSeconds, EDGE),
    ...(byStatus > (edgeSeconds ?? 0) ? kept(['edge_ttl', 'status_code_ttl'], byStatus, EDGE) : []),
    ...kept(['browser_ttl', 'default'], browserSeconds, BROWSERS),
    ...kept(['s-maxage', 'value'], secondsIn(parameters['s-maxage']), EDGE),
    ...kept(['max-age', 'value'], secondsIn(parameters['max-age']), BROWSERS),
  ];
}

const EDGE = { who: 'the edge keeps what it gets', hint: 'purge the cache then, or set a shorter time' };
const BROWSERS = { who: 'browsers keep what they get', hint: 'set a shorter time' };

function kept(
  path: ValuePath,
  seconds: number | undefined,
  { who, hint }: { readonly who: string; readonly hint: string },
): readonly Outlasting[] {
  return seconds !== undefined && seconds > NOTICED_SECONDS
    ? [
        {
          path: ['action_parameters', ...path],
          what: `${who} under this rule for ${duration(seconds)}, also after the rule has ended`,
          hint,
        },
      ]
    : [];
}

/** Returns the time of a directive that a rule sets, `{ operation: set, value: 3600 }`. */
function secondsIn(directive: unknown): number | undefined {
  const { value } = objectOf(directive);
  return typeof value === 'number' ? value : undefined;
}

/** Finds a `Cache-Control` that has browsers, and caches on the way, keep an answer. */
function keptByHeader(parameters: JsonObject): readonly Outlasting[] {
  return headerRewrites(parameters).flatMap(({ name, key, value = '' }) => {
    const [, seconds] = /\b(?:s-maxage|max-age)\s*=\s*"?(\d+)/iu.exec(value) ?? [];
    return key === 'cache-control' ? kept(['headers', name, 'value'], Number(seconds ?? 0), BROWSERS) : [];
  });
}

/** Finds a limit that goes on stopping whom it has begun to stop. */
function keptStop({ ratelimit }: JsonObject): readonly Outlasting[] {
  const { mitigation_timeout: seconds } = objectOf(ratelimit);
  return typeof seconds === 'number' && seconds > NOTICED_SECONDS
    ? [
        {
          path: ['ratelimit', 'mitigation_timeout'],
          what: `whom the rule has begun to stop, it stops for ${duration(seconds)}, also after it has ended`,
          hint: 'set a shorter `mitigation_timeout`',
        },
      ]
    : [];
}

function keptPolicy(parameters: JsonObject): readonly Outlasting[] {
  return headerRewrites(parameters).flatMap(({ name, key, value = '' }) => {
    const seconds = transportSecuritySeconds(value) ?? 0;
    return key === TRANSPORT_SECURITY && seconds > 0
      ? [
          {
            path: ['action_parameters', 'headers', name, 'value'],
            what: `browsers insist on HTTPS for ${duration(seconds)}, also after the rule has ended`,
            hint: 'set a shorter `max-age`, or let the rule have no end',
          },
        ]
      : [];
  });
}

/** Finds a condition for counting, which the window does not limit. */
function counting(
  { ratelimit }: JsonObject,
  { begins, ends }: { readonly begins: boolean; readonly ends: boolean },
): readonly Outlasting[] {
  const counted = textOf(objectOf(ratelimit)['counting_expression']);
  const when = [
    ...(begins ? ['counts before the rule begins'] : []),
    ...(ends ? ['goes on counting after the rule has ended'] : []),
  ];
  return counted.trim() === '' || when.length === 0
    ? []
    : [
        {
          path: ['ratelimit', 'counting_expression'],
          what: `\`counting_expression\` has no window: it ${when.join(', and ')}`,
          hint: 'remove it if the rule is to count what it matches, or compare `http.request.timestamp.sec` in it too',
        },
      ];
}
