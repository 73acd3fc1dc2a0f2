import type { ImportedScope, ImportRefusal, ImportSummary, LeftOut } from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import type { CommandsAfterImport } from './import-source.ts';
import { octorulesBlocks, octorulesSummary, terraformBlocks, terraformSummary } from './import-source.ts';
import { attentionCallouts } from './attention-callouts.ts';
import type { Found } from './attention.ts';
import { driftAttention } from './attention.ts';
import { diffBlock, diffOf } from './format-document.ts';
import type { Detail } from './layout.ts';
import { unknownFieldsText } from './notes.ts';
import type { Block, CalloutBlock, EntryBlock, Inline, Document, Style } from './tree.ts';
import { commandLine, entry, hintBlocks, message, messageBlocks, span } from './tree.ts';

/** Scopes without remarks are listed up to `most` of a kind; of more, only the `first` are listed. */
const KINDS = {
  new: { style: 'added', most: 20, first: 20 },
  changed: { style: 'changed', most: 20, first: 20 },
  differs: { style: 'warning', most: 20, first: 20 },
  unchanged: { style: 'dim', most: 3, first: 0 },
} as const;

const KIND_NAMES = ['new', 'changed', 'differs', 'unchanged'] as const;

/** Returns the result of an import as one JSON value; for a dry run with the diffs of the files. */
export function importJson({ pending, ...summary }: ImportSummary) {
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

/** Documents the result of an import, scope by scope. */
export function importDocument(
  summary: ImportSummary,
  {
    detail = 'summed-up',
    commands,
  }: { readonly detail?: Detail | undefined; readonly commands: CommandsAfterImport },
): Document {
  const { scopes, pending } = summary;
  const said = pending === null ? SAID.written : SAID.pending;
  const failed = scopes.filter((scope) => scope.kind === 'failed');
  const done = scopes.filter((scope) => scope.kind !== 'failed');
  const refused = done.flatMap(({ scope, refusal }) =>
    refusal === undefined ? [] : [{ scope, ...refusal }],
  );
  const plain = detail === 'each' ? [] : done.filter((scope) => remarksOf(scope).length === 0);
  const unreported = KIND_NAMES.map((kind) => ({ kind, scopes: beyond(plain, kind) }));
  const quiet = new Set(unreported.flatMap(({ scopes: some }) => some));
  const listed = done.filter((scope) => !quiet.has(scope));
  const last = unreported.flatMap(({ kind, scopes: some }) => countEntries(kind, some.length));
  const entries = [...listed.map(scopeEntry), ...last];
  return {
    title: 'Rulewright import',
    body: [
      ...(pending ?? []).map(({ path, before, after }, index) =>
        entry(undefined, [span('strong', path)], {
          parts: true,
          body: [diffBlock(path, before, after)],
          ...(index === (pending ?? []).length - 1 ? { apart: true as const } : {}),
        }),
      ),
      ...entries.map((one, index) => (index === entries.length - 1 ? { ...one, apart: true as const } : one)),
      ...refusedCallouts('Not imported, and nothing of it written', failed),
      ...refusedCallouts('The import itself would refuse, and write nothing of', refused),
      ...takenCallouts(done, said, detail),
      ...(summary.terraform === undefined ? [] : terraformBlocks(summary.terraform, detail, commands)),
      ...(summary.octorules === undefined ? [] : octorulesBlocks(summary.octorules, detail, commands)),
    ],
    summary: closing(summary, { done, said, commands }),
  };
}

/** Returns what is said at the end: the counts, and what to do. */
function closing(
  summary: ImportSummary,
  {
    done,
    said,
    commands,
  }: {
    readonly done: readonly DoneScope[];
    readonly said: TakenWords;
    readonly commands: CommandsAfterImport;
  },
): readonly Inline[] {
  const any = (is: (scope: DoneScope) => boolean, text: Inline): readonly Inline[] =>
    done.some(is) ? [text] : [];
  return [
    [
      span('strong', `${said.did} ${scopesText(done.length, summary.scopes.length)}`),
      `: ${filesText(summary)}, ${counted(summary.requests, 'request')}${leftOutCount(done)}.`,
    ],
    ...unmanagedText(done, commands),
    ...unknownText(done),
    ...any(
      ({ kept }) => kept.length > 0,
      ['Some differences stay: ', commandLine(commands.plan), ' shows them.'],
    ),
    ...any(({ removed }) => removed.length > 0, [message(said.removed)]),
    ...any(({ inClear }) => inClear.length > 0, [message(said.inClear)]),
    ...(summary.terraform === undefined ? [] : terraformSummary(summary.terraform)),
    ...(summary.octorules === undefined ? [] : octorulesSummary(summary.octorules)),
  ];
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

function unknownText(done: readonly DoneScope[]): readonly Inline[] {
  const text = unknownFieldsText(done.flatMap(({ unknown }) => unknown));
  return text === null ? [] : [[`${text}.`]];
}

/** Returns what a reviewer of the files must not overlook. */
function takenCallouts(
  done: readonly DoneScope[],
  said: TakenWords,
  detail: Detail,
): readonly CalloutBlock[] {
  const items = driftAttention({ plan: { scopes: [] }, changes: done.flatMap(({ changes }) => changes) });
  return attentionCallouts(items, { detail, titles: said.titles, more: '--verbose shows each' });
}

interface TakenWords {
  readonly did: string;
  /** The titles for severe effects that the files take over from live. */
  readonly titles: ReadonlyMap<Found['level'], string>;
  readonly removed: string;
  readonly inClear: string;
}

const DECLARE =
  'Do not commit them: declare each in `env` of rulewright.yaml as `name: { from: VARIABLE, sensitive: true }`, set VARIABLE to the value, and import again. The files name the variable then.';

/** The texts for files that were written, and for those that a dry run would write. */
const SAID: Readonly<Record<'written' | 'pending', TakenWords>> = {
  written: {
    did: 'Imported',
    titles: new Map([
      [
        'ending',
        'The files now stop or redirect every request (or every one tried), because what was imported does',
      ],
      [
        'open',
        'The files now let every request (or every one tried) bypass protection, because what was imported does',
      ],
      ['weaker', 'The files now protect less than before, because what was imported does'],
      [
        'doubtful',
        'Not proven harmless: the files may now protect less than before, because what was imported does',
      ],
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
        'After this import the files would stop or redirect every request (or every one tried), because what was imported does',
      ],
      [
        'open',
        'After this import the files would let every request (or every one tried) bypass protection, because what was imported does',
      ],
      ['weaker', 'After this import the files would protect less than now, because what was imported does'],
      [
        'doubtful',
        'Not proven harmless: after this import the files might protect less than now, because what was imported does',
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

/** Returns the number of scopes of a kind that are not listed. */
function countEntries(kind: DoneScope['kind'], count: number): readonly EntryBlock[] {
  const noun = KINDS[kind].first === 0 ? 'scope' : 'more scope';
  return count === 0
    ? []
    : [entry({ word: kind, style: 'dim' }, [span('dim', `${counted(count, noun)}; --verbose shows each`)])];
}

/** Returns which live rulesets, lists and settings no file declares. */
function unmanagedText(done: readonly DoneScope[], { again }: CommandsAfterImport): readonly Inline[] {
  const rulesets = done.flatMap(({ scope, unmanaged }) => unmanaged.map((name) => `${scope}/${name}`));
  const objects = done.flatMap(({ scope, unmanagedObjects }) =>
    unmanagedObjects.map((name) => `${name} of ${scope}`),
  );
  const names = [...rulesets, ...objects];
  const nouns = [...rulesets.map(() => 'ruleset'), ...objects.map((name) => name.split(' ', 1).join(''))];
  const counts = [...new Set(nouns)].map((noun, index) => {
    const count = nouns.filter((one) => one === noun).length;
    return index === 0 ? counted(count, `more ${noun}`) : counted(count, noun);
  });
  const [are, them] = names.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return names.length === 0
    ? []
    : [
        [
          message(
            `${counts.join(' and ')} ${are} live, and no file declares ${them}: ${someNames(names, 3)}. `,
          ),
          commandLine(`${again} --unmanaged`),
          ` adds ${them}.`,
        ],
      ];
}

function scopeEntry(scope: DoneScope): EntryBlock {
  const { kind, files, rules, rulesets, lists, settings } = scope;
  return entry({ word: kind, style: KINDS[kind].style }, [span('code', scope.scope)], {
    facts: [
      [span('dim', `${counted(rules, 'rule')} in ${counted(rulesets, 'ruleset')}`)],
      ...(lists === 0 ? [] : [[span('dim', counted(lists, 'list'))]]),
      ...(settings === 0 ? [] : [[span('dim', counted(settings, 'setting'))]]),
      ...(files.length === 0 ? [] : [[span('dim', files.join(', '))]]),
    ],
    body: remarksOf(scope),
  });
}

/** Returns what is to be said about a scope besides its counts. */
function remarksOf(scope: DoneScope): readonly Block[] {
  const { leftOut, kept, removed, renamed, dropped, inClear, unread } = scope;
  const notes: readonly (readonly [word: string, style: Style, texts: readonly string[]])[] = [
    ['left out', 'warning', leftOut.map(leftOutText)],
    ['stays', 'warning', kept],
    ['removed', 'warning', removed],
    ['renamed', 'changed', renamed],
    ['dropped', 'warning', dropped],
    ['unread', 'warning', unread],
    ['in clear', 'warning', inClear],
  ];
  return notes.flatMap(([word, style, texts]) =>
    texts.map((text): Block => ({ kind: 'paragraph', text: [span(style, word), ` ${text}`], hang: 6 })),
  );
}

/** Formats a ruleset that was left out as one line. */
export function leftOutText({ kind, phase, name, reason }: LeftOut): string {
  return kind === 'custom'
    ? `${phase}, custom ruleset ${JSON.stringify(name)}: ${reason}`
    : `${phase}: ${reason}`;
}

/** Returns the scopes that were not imported, and why. */
function refusedCallouts(
  title: string,
  refused: readonly (ImportRefusal & { readonly scope: string })[],
): readonly CalloutBlock[] {
  return refused.length === 0
    ? []
    : [
        {
          kind: 'callout',
          level: 'error',
          title: [title],
          entries: refused.map(({ scope, message: text, hint }) =>
            entry(undefined, [span('strong', scope)], {
              body: [...messageBlocks(text), ...hintBlocks(hint)],
            }),
          ),
        },
      ];
}
