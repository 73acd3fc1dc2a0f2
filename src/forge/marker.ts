import { parsedJson } from '../model/json.ts';
import { numberAt, textAt } from './shape.ts';

/** What a comment or an issue of ours is about. */
export type Subject = (typeof SUBJECTS)[number];

/** `news` is the word to those who follow an issue. */
const SUBJECTS = ['plan', 'apply', 'drift', 'news'] as const;

/** Which result a text of ours shows, hidden at its begin: how it is found again, and which of two is newer. */
export interface Marker {
  readonly subject: Subject;
  /** The project, so that several can share a pull request. */
  readonly name: string;
  /** The commit that the result was made for. */
  readonly sha: string;
  /** Number of the run that made it; a repeated run keeps its number. */
  readonly run: number;
  /** When it was posted, in milliseconds. */
  readonly at: number;
  /** Digest of the posted plan, or "" for none. */
  readonly state: string;
  /** The state that the webhook heard of last; absent: it never heard of any. */
  readonly told?: string;
}

/** Two of these tell about one thing when subject and name are equal. */
export type Topic = Pick<Marker, 'subject' | 'name'>;

/** The marker as a comment in Markdown, which no reader sees. Nothing in it can end the comment. */
export function markerText({ subject, ...facts }: Marker): string {
  const json = JSON.stringify(facts).replaceAll(
    /[-<>&]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<!-- rulewright:${subject} ${json} -->`;
}

/** A text of ours with another marker at its begin. */
export function withMarker(body: string, marker: Marker): string {
  return body.replace(MARKER, () => markerText(marker));
}

const MARKER = /^\s*<!-- rulewright:([a-z]+) (\{.*?\}) -->/;

/** The marker at the beginning of a text; null where there is none. */
export function readMarker(body: string): Marker | null {
  const [, word, json] = MARKER.exec(body) ?? [];
  const subject = SUBJECTS.find((one) => one === word);
  if (json === undefined || subject === undefined) {
    return null;
  }
  const facts = parsedJson(json);
  const name = textAt(facts, 'name');
  const told = textAt(facts, 'told');
  return name === null
    ? null
    : {
        subject,
        name,
        sha: textAt(facts, 'sha') ?? '',
        run: numberAt(facts, 'run') ?? 0,
        at: numberAt(facts, 'at') ?? 0,
        state: textAt(facts, 'state') ?? '',
        ...(told === null ? {} : { told }),
      };
}

/** Whether a text is about a topic. */
export function isAbout(marker: Marker | null, topic: Topic): marker is Marker {
  return marker !== null && marker.subject === topic.subject && marker.name === topic.name;
}

/**
 * Whether the result that is there must not be replaced by ours. For one commit the later one counts; else the one for the commit
 * that the pull request has now; else the one of the later run, for a repeated run still is about its old commit.
 */
export function isNewer(there: Marker, ours: Marker, headSha: string | null): boolean {
  if (there.sha === ours.sha) {
    return there.at > ours.at || (there.at === ours.at && there.run > ours.run);
  }
  if (headSha !== null && (there.sha === headSha || ours.sha === headSha)) {
    return there.sha === headSha;
  }
  return there.run === ours.run ? there.at > ours.at : there.run > ours.run;
}
