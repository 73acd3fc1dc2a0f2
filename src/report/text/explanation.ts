import type { RequestWay } from '../../model/simulation.ts';
import type { Line } from '../layout.ts';
import { BLANK, layOut, line, span } from '../layout.ts';
import type { Look } from '../theme.ts';
import { verdictLines } from '../lines/verdict.ts';
import { endLines } from '../lines/way.ts';

const LIVE_HINT: Line = {
  ...line(2, span('dim', 'rulewright explain --live simulates all rules that the service has.')),
  hang: 4,
};

/** What each rule says of a request and why, how the request ends, and what rules leave. */
export function explanationText(way: RequestWay, look: Look): string {
  return layOut(
    [
      { ...line(0, span('heading', `${way.method} ${way.url}`)), hang: 2 },
      BLANK,
      ...verdictLines(way.verdicts, { indent: 0, brief: false }),
      ...(way.verdicts.length === 0 ? [line(0, 'No rule is on the way of this request.')] : []),
      BLANK,
      ...endLines(way, 0, { brief: false }),
      ...(way.source === 'live' || way.certain ? [] : [LIVE_HINT]),
    ],
    look,
  );
}
