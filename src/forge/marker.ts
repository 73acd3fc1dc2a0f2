import { parsedJson } from '../data/index.ts';
import { numberAt, textAt } from './requests.ts';

/** The subject of a comment or an issue of ours. */
export type Subject = (typeof SUBJECTS)[number];

/** `news` is a comment for people who follow an issue. */
const SUBJECTS = ['plan', 'apply', 'drift', 'news'] as const;

/**
 * A hidden marker at the beginning of a posted text that identifies the result in it: it serves to find the text again, and to tell which
 * of two is newer.
 */
export interface Marker {
  readonly subject: Subject;
  /** The project, so that several can share a pull request. */
  readonly name: string;
  /** The commit that the result belongs to. */
  readonly sha: string;
  /** The number of the run that produced the result; a repeated run keeps its number. */
  readonly run: number;
  /** When the text was posted, in milliseconds. */
  readonly at: number;
  /** Digest of the posted plan, or "" for none. */
  readonly state: string;
  /** The state that the webhook was last told; absent when it was never told any. */
  readonly told?: string;
}

/** The topic of a text: texts with equal subject and name are about the same thing. */
export type Topic = Pick<Marker, 'subject' | 'name'>;

/** Returns the marker as a Markdown comment, which is not displayed. Nothing in it can end the comment. */
export function markerText({ subject, ...facts }: Marker): string {
  const json = JSON.stringify(facts).replaceAll(
    /[-<>&]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<!-- rulewright:${subject} ${json} -->`;
}

/** Replaces the marker at the beginning of a text. */
export function withMarker(body: string, marker: Marker): string {
  return body.replace(MARKER, () => markerText(marker));
}

const MARKER = /^\s*<!-- rulewright:([a-z]+) (\{.*?\}) -->/;

/** Returns the marker at the beginning of a text; null when there is none. */
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

/** Whether a text with this marker is about a topic. */
export function isAbout(marker: Marker | null, topic: Topic): marker is Marker {
  return marker !== null && marker.subject === topic.subject && marker.name === topic.name;
}

/**
 * Whether the posted result must not be replaced by ours. For one commit the later result wins. Otherwise the result for the current head
 * commit of the pull request wins; failing that, the one of the later run, because a repeated run is still about its old commit.
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
