import type { Block, EntryBlock, Inline, SectionBlock } from '../report/index.ts';
import { entry, paragraph, section, span } from '../report/index.ts';
import { counted } from '../text/index.ts';
import type {
  Conversion,
  ConversionFile,
  Equivalence,
  RequestOutcome,
  WorldDifference,
} from './conversion.ts';

/** Says how to continue after a conversion: the next command when a file was written, or what to do when the phase is already declared. */
export function nextSentences(
  { yaml, file, claim }: Conversion & ConversionFile,
  { next, declared }: { readonly next: string; readonly declared: string },
): readonly Inline[] {
  if (yaml === null) {
    return [];
  }
  if (file !== null) {
    return [['Wrote ', span('strong', file), `. Next: rulewright ${next}`]];
  }
  return claim === null ? [] : [[span('warning', `${claim} declares the phase already: `), declared]];
}

/** Says what no conversion of a kind can keep the same, and what was noticed in this one. */
export function notSameSection(always: readonly string[], warnings: readonly string[]): SectionBlock {
  return section(
    2,
    [span('strong', 'Not the same')],
    [
      ...always.map((text) => entry(undefined, [text], { parts: true })),
      ...warnings.map((warning) => entry({ sign: '!', style: 'warning' }, [warning])),
    ],
  );
}

/** Returns rules as files say them, for formats that do not print the YAML itself. */
export function yamlSection(yaml: string): SectionBlock {
  const lines = yaml.trimEnd().split('\n');
  return section(
    2,
    [span('strong', 'The rules for the files')],
    [{ kind: 'verbatim', language: 'yaml', lines }],
  );
}

/** Says whether old and new rules do the same with generated requests. */
export function equivalenceSentence({ requests, coverage, differences }: Equivalence): Inline {
  const { clauses, exercised } = coverage;
  const tried = `; ${exercised} of ${counted(clauses, 'condition')} tried both true and false.`;
  return differences.length === 0
    ? [span('good', `Old and new rules agree on ${all(requests)}`), tried]
    : [
        span(
          'error',
          `${differences.length} of ${counted(requests, 'generated request')} would be treated differently`,
        ),
        tried,
      ];
}

function all(requests: number): string {
  return requests === 1 ? 'the 1 generated request' : `all ${requests} generated requests`;
}

/** The number of differences shown one by one; the rest is counted. */
const MOST_SHOWN = 5;

/** Returns what became of a comparison of both worlds: every difference with its request, and what was not exercised. */
export function equivalenceSections({ coverage, differences }: Equivalence): readonly SectionBlock[] {
  const rest = differences.length - MOST_SHOWN;
  const told: readonly (readonly [title: string, body: readonly Block[]])[] = [
    [
      'Treated differently',
      [
        ...differences.slice(0, MOST_SHOWN).map(differenceEntry),
        ...(rest > 0 ? [entry(undefined, [`and ${rest} more`])] : []),
      ],
    ],
    [
      'Not tried both ways',
      coverage.missed.map(({ name, text }) =>
        entry({ sign: '!', style: 'warning' }, [span('code', text)], {
          facts: [[span('dim', `in ${name}`)]],
        }),
      ),
    ],
  ];
  return told.flatMap(([title, body]) =>
    body.length === 0 ? [] : [section(2, [span('strong', title)], body)],
  );
}

function differenceEntry({ kind, request, before, after }: WorldDifference): EntryBlock {
  const fields = Object.entries(request).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return entry(undefined, [fields.length === 0 ? 'a plain request' : span('code', fields.join(', '))], {
    parts: true,
    body: [
      paragraph(span('removed', 'before: '), outcomeText(before, kind)),
      paragraph(span('added', 'after: '), outcomeText(after, kind)),
    ],
  });
}

function outcomeText(
  { end, acted, skipped, settings = [] }: RequestOutcome,
  kind: WorldDifference['kind'],
): string {
  const ended = end === null ? 'goes on' : `${end.action} by ${end.rule}`;
  const over = skipped.length === 0 ? '' : `, without ${skipped.join(', ')}`;
  const events = kind === 'events' ? `; events of ${acted.length === 0 ? 'no rule' : acted.join(', ')}` : '';
  const left = settings.length === 0 ? '' : `, with ${settings.join(', ')}`;
  return `${ended}${over}${left}${events}`;
}
