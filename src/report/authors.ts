import { authorKey, authorsAmong, DIFFERENCES, objectDifference } from '../model/index.ts';
import type {
  AuthorNotKnown,
  AuthorsOfChange,
  ChangedBy,
  ChangeVia,
  Drift,
  ObjectStep,
  PlannedScope,
  RuleChange,
  Step,
} from '../model/index.ts';
import { groupBy } from '../data/index.ts';
import { counted, oneLine } from '../text/index.ts';
import { momentText } from './print-value.ts';
import type { Block, Inline } from './tree.ts';
import { paragraph, plainText, span } from './tree.ts';

/** Who made the changes that a document shows. */
export interface ToldAuthors {
  readonly ofRule: (step: Step, change: RuleChange) => AuthorsOfChange | undefined;
  readonly ofObject: (step: ObjectStep) => AuthorsOfChange | undefined;
}

/** For documents that tell no authors. */
export const NO_AUTHORS: ToldAuthors = { ofRule: () => undefined, ofObject: () => undefined };

/** Returns who made the changes of drift, by the steps that would undo them. */
export function toldAuthors({ changes }: Pick<Drift, 'changes'>): ToldAuthors {
  const authors = authorsAmong(changes);
  const ofLists = new Map(changes.map((change) => [change.step, change] as const));
  return {
    ofRule: ({ id: step }, { ref: rule, kind }) =>
      authors.get(authorKey({ step, rule, difference: DIFFERENCES[kind] })),
    ofObject: (step) => {
      const rule = ofLists.get(step.id)?.rule ?? '';
      return authors.get(authorKey({ step: step.id, rule, difference: objectDifference(step) }));
    },
  };
}

/** Returns what tells scopes apart whose changes are alike but were made by different people or tools. */
export function authorTraits({ steps, objects = [] }: PlannedScope, authors: ToldAuthors): unknown {
  const traits = (authorship: AuthorsOfChange | undefined): unknown =>
    authorship === undefined || authorship.changed_by.length === 0
      ? null
      : authorship.changed_by.map(({ actor, via, claims }) => [actor, via, claims ?? null]);
  return [
    ...steps.flatMap((step) => step.changes.map((change) => traits(authors.ofRule(step, change)))),
    ...objects.map((step) => traits(authors.ofObject(step))),
  ];
}

/** Returns a line for each write that made a change, and what is not known beside them. */
export function authorBlocks(authorship: AuthorsOfChange | undefined): readonly Block[] {
  if (authorship === undefined || authorship.changed_by.length === 0) {
    return [];
  }
  const { changed_by, not_known } = authorship;
  return [
    ...changed_by.map((one) =>
      paragraph(
        ...authorSpans(one),
        ...(one.audit_id === '' ? [] : [span('dim', `, audit entry ${oneLine(one.audit_id)}`)]),
      ),
    ),
    ...(not_known === undefined
      ? []
      : [paragraph(span('dim', `perhaps by others too: ${oneLine(not_known.message)}`))]),
  ];
}

/** Returns who made a change on one line, for annotations: nothing where that is not known. */
export function authorsText(authorship: AuthorsOfChange | undefined): readonly string[] {
  const { changed_by: by = [] } = authorship ?? {};
  return by.length === 0
    ? []
    : [
        by
          .map((one) =>
            plainText([
              ...authorSpans(one),
              ...(one.audit_id === '' ? [] : [`, audit entry ${oneLine(one.audit_id)}`]),
            ]),
          )
          .join('; '),
      ];
}

/** Returns who made a change: `by CI (token), 2026-11-28 09:30:00 UTC`, with what the client calls itself. */
function authorSpans(by: ChangedBy): Inline {
  return [
    'by ',
    ...actorSpans(by),
    `, ${momentText(by.at)}`,
    ...(by.claims === undefined ? [] : [', calls itself ', span('code', oneLine(by.claims))]),
  ];
}

function actorSpans({ actor, via }: Pick<ChangedBy, 'actor' | 'via'>): Inline {
  const how = via === 'service' && actor.name === '' ? '' : VIAS[via];
  const name = actor.name === '' ? UNNAMED[actor.kind] : span('name', oneLine(actor.name));
  return [name, ...(how === '' ? [] : [` (${how})`])];
}

/** Returns the names of all who made changes of drift, in the order of these: `CI (token)`. */
export function actorNames({ changes }: Pick<Drift, 'changes'>): readonly string[] {
  return [
    ...new Set(changes.flatMap(({ changed_by = [] }) => changed_by.map((one) => plainText(actorSpans(one))))),
  ];
}

const VIAS: Readonly<Record<ChangeVia, string>> = {
  dashboard: 'dashboard',
  'api-token': 'token',
  'api-key': 'API key',
  oauth: 'OAuth',
  api: 'API',
  service: 'the service',
  unknown: '',
};

const UNNAMED: Readonly<Record<ChangedBy['actor']['kind'], string>> = {
  user: 'somebody',
  token: 'an unnamed token',
  account: 'the account',
  service: 'the service itself',
  unknown: 'somebody',
};

/** Returns a sentence for each reason for which it is not known who made changes. */
export function notKnownTexts({ changes }: Pick<Drift, 'changes'>): readonly Inline[] {
  const unknown = changes.flatMap(({ changed_by, not_known }): readonly AuthorNotKnown[] =>
    changed_by?.length === 0 && not_known !== undefined ? [not_known] : [],
  );
  const own = unknown.filter(({ reason }) => reason === 'own');
  const others = groupBy(
    unknown.filter(({ reason }) => reason !== 'own'),
    ({ message }) => message,
  );
  return [
    ...(own[0] === undefined
      ? []
      : [
          [
            span(
              'dim',
              `${counted(own.length, 'change')}: the files differ, and ${oneLine(own[0].message)}.`,
            ),
          ],
        ]),
    ...[...others].map(([message, { length }]) => [
      span('dim', `It is not known who made ${counted(length, 'change')}: ${oneLine(message)}.`),
    ]),
  ];
}
