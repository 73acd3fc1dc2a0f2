import type { Redactions } from './redact-likely-secrets.ts';
import { redactText, redactIn } from './redact-likely-secrets.ts';
import type { Clause, HeaderLine, RequestWay, RulePlace, WayEnd } from './simulation.ts';

/** Redacts what looks like a secret in the rules along a request's way; the request's own URL stays. */
export function shownWay(way: RequestWay, redactions: Redactions): RequestWay {
  const text = (said: string): string => redactText(said, redactions);
  const place = <Place extends RulePlace>(said: Place): Place => ({ ...said, rule: text(said.rule) });
  const end = (said: WayEnd | null): WayEnd | null =>
    said === null ? null : { ...place(said), location: said.location === null ? null : text(said.location) };
  const headers = (lines: readonly HeaderLine[]): readonly HeaderLine[] =>
    lines.map(({ name, values }) => ({ name, values: values.map(text) }));
  const clause = (said: Clause): Clause => ({
    ...said,
    text: text(said.text),
    clauses: said.clauses.map(clause),
    observed: said.observed.map((one) => ({
      ...one,
      name: text(one.name),
      value: redactIn(one.value, redactions),
    })),
  });
  return {
    ...way,
    verdicts: way.verdicts.map((verdict) => ({
      ...place(verdict),
      why: text(verdict.why),
      clause: verdict.clause === null ? null : clause(verdict.clause),
    })),
    end: end(way.end),
    errorPage: end(way.errorPage),
    notSimulated: way.notSimulated.map((one) =>
      one.kind === 'rule' ? { ...place(one), why: text(one.why) } : one,
    ),
    urlAtOrigin: text(way.urlAtOrigin),
    headers: headers(way.headers),
    changedHeaders: headers(way.changedHeaders),
    response: way.response === null ? null : { ...way.response, headers: headers(way.response.headers) },
    settings: way.settings.map((setting) => ({ ...setting, value: redactIn(setting.value, redactions) })),
  };
}
