import { isCollection, typeName } from '../values/type.ts';
import { FIELDS } from '../language/catalogue.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';

/** Types that the service writes as a text in headers; the vendor's own tests use them so. */
const WRITTEN: ReadonlySet<string> = new Set(['Ip', 'Int']);
const HEADER_PHASES: ReadonlySet<string> = new Set([
  'http_request_late_transform',
  'http_response_headers_transform',
]);

/** Checks the type of a computed value, what rate limits count by, and where an account's apply (`rules-language.md` 4.1, `api.md` 8.3). */
export function checkValues({ tree, context, fields, comparisons }: Subject, report: Report): void {
  if (tree.mode === 'value') {
    const wanted = context.valueType ?? 'Bytes';
    const actual = typeName(tree.root.type);
    if (actual !== wanted && !(WRITTEN.has(actual) && HEADER_PHASES.has(context.phase ?? ''))) {
      const message = `a value of type ${wanted} belongs here, not ${actual}`;
      const scalar = wanted === 'Bytes' && !isCollection(tree.root.type);
      report('expression/value-type', {
        message,
        span: tree.root.span,
        // Cache tags are known to need a list (api.md 5.13); of a single value only the usual type is known.
        ...(wanted === 'Array<Bytes>' ? { severity: 'error' } : {}),
        ...(scalar ? {} : { hint: 'choose a value of that type' }),
      });
    }
  }
  const response = fields.find(({ name }) => FIELDS.get(name)?.place === 'response');
  const list = comparisons.find(({ right }) => right.kind === 'list');
  if (context.isScope === true && context.phase === 'http_ratelimit') {
    for (const { span } of [response, list?.right].filter((part) => part !== undefined)) {
      const message = 'the scope of account rate limits may use neither fields of the response nor lists';
      const hint = 'put this condition into the rules of the custom ruleset, which may';
      report('expression/place', { message, hint, span, severity: 'error' });
    }
  }
  if (context.use !== 'counting') {
    return;
  }
  if (response !== undefined && list !== undefined) {
    const message = 'a counting expression may not use both fields of the response and lists';
    report('expression/place', { message, span: list.right.span });
  }
  if (context.plan === 'free' || context.plan === 'pro') {
    const message = 'a counting expression of its own needs the Business plan or above';
    report('expression/plan', { message, span: tree.root.span });
  }
}
