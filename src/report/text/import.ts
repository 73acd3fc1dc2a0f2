import type { ImportedScope, ImportRefusal, ImportSummary, LeftOut } from '../../model/index.ts';
import { counted, someNames } from '../../text/index.ts';
import { driftAttention, attentionGroups, isFoundGroup } from '../attention.ts';
import type { Found } from '../attention.ts';
import { foundLines, hintLines, messageLines } from '../lines/finding-lines.ts';
import { BLANK, hanging, layOut, line, span } from '../layout.ts';
import type { Line, Look } from '../layout.ts';
import { unknownFieldsText } from '../notes.ts';
import { diffOf, diffLines } from './format.ts';

/** Scopes without remarks are listed up to `most` of a kind; of more, only the `first` are listed. */
const KINDS = {
  new: { style: 'add', most: 20, first: 20 },
  changed: { style: 'patch', most: 20, first: 20 },
  differs: { style: 'warning', most: 20, first: 20 },
  unchanged: { style: 'dim', most: 3, first: 0 },
} as const;

const KIND_NAMES = ['new', 'changed', 'differs', 'unchanged'] as const;

/** Returns the result of an import as one JSON value; for a dry run with the diffs of the files. */
export function importDocument({ pending, ...summary }: ImportSummary) {
  const diffs = (pending ?? []).map(({ path, before, after }) => ({
    path,
    diff: diffOf(path, before, after),
  }));
  return {
    kind: 'import',
    formatVersion: 1,
    ...summary,
    ...(pending === null ? {} : { dryRun: true, pending: diffs }),
  };
}

/** Formats the result of an import, scope by scope; failures come at the end. */
export function importText(summary: ImportSummary, look: Look): string {
  const { scopes, pending, requests } = summary;
  const said = pending === null ? SAID.written : SAID.pending;
  const failed = scopes.filter((scope) => scope.kind === 'failed');
  const done = scopes.filter((scope) => scope.kind !== 'failed');
  const refused = done.flatMap(({ scope, refusal }) =>
    refusal === undefined ? [] : [{ scope, ...refusal }],
  );
  const plain =
    look.detail === 'each'
      ? []
      : done.filter(
          ({ leftOut, kept, removed, renamed, dropped, inClear, unread }) =>
            leftOut.length +
              kept.length +
              removed.length +
              renamed.length +
              dropped.length +
              inClear.length +
              unread.length ===
            0,
        );
  const unreported = KIND_NAMES.map((kind) => ({ kind, scopes: beyond(plain, kind) }));
  const quiet = new Set(unreported.flatMap(({ scopes: some }) => some));
  return layOut(
    [
      ...(pending ?? []).flatMap(({ path, before, after }) => [
        line(0, span('strong', path)),
        ...diffLines(path, before, after),
      ]),
      ...(pending === null || pending.length === 0 ? [] : [BLANK]),
      ...done.filter((scope) => !quiet.has(scope)).flatMap(doneLines),
      ...unreported.flatMap(({ kind, scopes: some }) => countLines(kind, some.length)),
      ...(failed.length === 0
        ? []
        : [BLANK, line(0, span('error', 'Not imported'), ', and nothing of it written:')]),
      ...failed.flatMap(failedLines),
      ...(refused.length === 0
        ? []
        : [BLANK, line(0, span('error', 'The import itself would refuse'), ', and write nothing of:')]),
      ...refused.flatMap(failedLines),
      BLANK,
      ...takenLines(done, { said, look }),
      line(
        0,
        span('strong', `${said.did} ${scopesText(done.length, scopes.length)}`),
        `: ${filesText(summary)}, ${counted(requests, 'request')}${leftOutCount(done)}.`,
      ),
      ...unmanagedLines(done),
      ...unknownLines(done),
      ...(done.some(({ kept }) => kept.length > 0)
        ? [line(0, 'Some differences stay: rulewright plan shows them.')]
        : []),
      ...(done.some(({ removed }) => removed.length > 0) ? messageLines(0, said.removed) : []),
      ...(done.some(({ inClear }) => inClear.length > 0) ? messageLines(0, said.inClear) : []),
    ],
    look,
  );
}

/** Returns how many scopes are done, and of how many if that is not all. */
function scopesText(done: number, all: number): string {
  return done === all ? counted(all, 'scope') : `${done} of ${counted(all, 'scope')}`;
}

/** Returns how many rulesets are not in the files, for the end of a line of counts. */
function leftOutCount(done: readonly DoneScope[]): string {
  const count = done.reduce((sum, { leftOut }) => sum + leftOut.length, 0);
  return count === 0 ? '' : `; ${counted(count, 'ruleset')} left out, see above`;
}

/** Returns how many files were written; for a dry run, how many an import would write, and how many only with `--discard`. */
function filesText({ scopes, written, pending }: ImportSummary): string {
  if (pending === null) {
    return `${counted(written.length, 'file')} written`;
  }
  const refused = new Set(
    scopes.flatMap((scope) => (scope.kind !== 'failed' && scope.refusal !== undefined ? scope.files : [])),
  );
  const others = pending.filter(({ path }) => !refused.has(path)).length;
  const would = `${counted(others, 'file')} would be written`;
  return refused.size === 0 ? would : `${would}, ${refused.size} more with --discard`;
}

function unknownLines(done: readonly DoneScope[]): readonly Line[] {
  const text = unknownFieldsText(done.flatMap(({ unknown }) => unknown));
  return text === null ? [] : [line(0, `${text}.`)];
}

/** Returns lines about what a reviewer of the files must not overlook. */
function takenLines(
  done: readonly DoneScope[],
  { said, look }: { readonly said: Said; readonly look: Look },
): readonly Line[] {
  const changes = done.flatMap((scope) => scope.changes);
  return attentionGroups(driftAttention({ plan: { scopes: [] }, changes }), { detail: look.detail })
    .filter(isFoundGroup)
    .flatMap((group) =>
      foundLines(
        { ...group, title: said.titles.get(group.level) ?? group.title },
        { ...look, more: '--verbose shows each' },
      ),
    );
}

interface Said {
  readonly did: string;
  /** The titles for grave effects that the files take over from live. */
  readonly titles: ReadonlyMap<Found['level'], string>;
  readonly removed: string;
  readonly inClear: string;
}

const DECLARE =
  'Do not commit them: declare each in `env` of rulewright.yaml as `name: { from: VARIABLE, sensitive: true }`, set VARIABLE to the value, and import again. The files name the variable then.';

/** The texts for files that were written, and for those that a dry run would write. */
const SAID: Readonly<Record<'written' | 'pending', Said>> = {
  written: {
    did: 'Imported',
    titles: new Map([
      ['ending', 'The files now stop or redirect every request (or every one tried), because live does'],
      ['open', 'The files now let every request (or every one tried) bypass protection, because live does'],
      ['weaker', 'The files now protect less than before, because live does'],
      ['doubtful', 'Not proven harmless: the files may now protect less than before, because live does'],
    ]),
    removed:
      'Rules that are not live are no longer in the files. If you had not applied some of them yet, restore those from Git.',
    inClear: `Values that look like secrets are in the files in clear text. ${DECLARE}`,
  },
  pending: {
    did: 'Dry run of',
    titles: new Map([
      [
        'ending',
        'After this import the files would stop or redirect every request (or every one tried), because live does',
      ],
      [
        'open',
        'After this import the files would let every request (or every one tried) bypass protection, because live does',
      ],
      ['weaker', 'After this import the files would protect less than now, because live does'],
      [
        'doubtful',
        'Not proven harmless: after this import the files might protect less than now, because live does',
      ],
    ]),
    removed: 'Rules that are not live would be removed from the files.',
    inClear: `Values that look like secrets would be in the files in clear text. ${DECLARE}`,
  },
};

type DoneScope = Exclude<ImportedScope, { readonly kind: 'failed' }>;

function beyond(plain: readonly DoneScope[], kind: DoneScope['kind']): readonly DoneScope[] {
  const { most, first } = KINDS[kind];
  const alike = plain.filter((scope) => scope.kind === kind);
  return alike.length > most ? alike.slice(first) : [];
}

/** Returns a line with the number of scopes of a kind that are not listed. */
function countLines(kind: DoneScope['kind'], count: number): readonly Line[] {
  const noun = KINDS[kind].first === 0 ? 'scope' : 'more scope';
  return count === 0
    ? []
    : [line(0, span('dim', `${kind.padEnd(9)} ${counted(count, noun)}; --verbose shows each`))];
}

/** Returns lines about live rulesets that no file declares. */
function unmanagedLines(done: readonly DoneScope[]): readonly Line[] {
  const names = done.flatMap(({ scope, unmanaged }) => unmanaged.map((name) => `${scope}/${name}`));
  const stand = names.length === 1 ? 'ruleset is' : 'rulesets are';
  return names.length === 0
    ? []
    : messageLines(
        0,
        `${names.length} more ${stand} live, and no file declares ${names.length === 1 ? 'it' : 'them'}: ${someNames(names, 3)}. rulewright import --unmanaged adds ${names.length === 1 ? 'it' : 'them'}.`,
      );
}

function doneLines(scope: DoneScope): readonly Line[] {
  const { kind, files, rules, rulesets, leftOut, kept, removed, renamed, dropped, inClear, unread } = scope;
  return [
    line(
      0,
      span(KINDS[kind].style, kind.padEnd(9)),
      ` ${scope.scope}`,
      span(
        'dim',
        `  ${counted(rules, 'rule')} in ${counted(rulesets, 'ruleset')}${files.length === 0 ? '' : `  ${files.join(', ')}`}`,
      ),
    ),
    ...leftOut.map((one) => hanging(4, 6, span('warning', 'left out'), ` ${leftOutText(one)}`)),
    ...kept.map((text) => hanging(4, 6, span('warning', 'stays'), ` ${text}`)),
    ...removed.map((text) => hanging(4, 6, span('warning', 'removed'), ` ${text}`)),
    ...renamed.map((text) => hanging(4, 6, span('patch', 'renamed'), ` ${text}`)),
    ...dropped.map((text) => hanging(4, 6, span('warning', 'dropped'), ` ${text}`)),
    ...unread.map((text) => hanging(4, 6, span('warning', 'unread'), ` ${text}`)),
    ...inClear.map((text) => hanging(4, 6, span('warning', 'in clear'), ` ${text}`)),
  ];
}

/** Formats a ruleset that was left out as one line. */
export function leftOutText({ kind, phase, name, reason }: LeftOut): string {
  return kind === 'custom'
    ? `${phase}, custom ruleset ${JSON.stringify(name)}: ${reason}`
    : `${phase}: ${reason}`;
}

function failedLines({ scope, message, hint }: ImportRefusal & { readonly scope: string }): readonly Line[] {
  return [line(2, span('strong', scope)), ...messageLines(4, message), ...hintLines(4, hint)];
}
