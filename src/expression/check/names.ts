import { FIELDS } from '../language/catalogue.ts';
import { isNetworkPhase } from '../language/place.ts';
import type { Report } from './finding.ts';
import type { Subject } from './subject.ts';

/** Fields that the service has removed (api.md 12.3). */
const REMOVED = /^http\.request\.jwt\.claims\.exp\.sec(?:\.|$)/u;

/** Reports fields that are deprecated, removed or constant (`rules-language.md` 4.2). */
export function checkNames({ fields, context }: Subject, report: Report): void {
  // In network phases `ip.geoip.country` matches source or destination: no single field means the same.
  const isNetwork = context.phase !== undefined && isNetworkPhase(context.phase);
  for (const { name, span } of fields) {
    const replacement = FIELDS.get(name)?.replacement;
    const fix = isNetwork || replacement === undefined ? {} : { fix: { span, replacement } };
    if (name === 'ip.addr') {
      report('expression/unknown-field', {
        message: 'the service has no field ip.addr',
        span,
        hint: 'use ip.src',
        ...fix,
      });
    } else if (replacement !== undefined) {
      const message = `${name} is the old name of ${replacement}`;
      report('expression/deprecated-field', { message, span, hint: `use ${replacement}`, ...fix });
    } else if (REMOVED.test(name)) {
      report('expression/deprecated-field', {
        message: `the service has removed ${name}`,
        span,
        hint: 'is_jwt_valid() refuses tokens that have expired',
      });
    } else if (name === 'cf.threat_score') {
      report('expression/constant-field', { message: 'cf.threat_score is always 0', span });
    }
  }
}
