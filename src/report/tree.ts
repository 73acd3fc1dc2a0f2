import { groupBy } from '../data/index.ts';
import type { JsonValue } from '../data/index.ts';

/** What a piece of text is; each printer decides how it looks. */
export type Style =
  | 'added'
  | 'changed'
  | 'moved'
  | 'removed'
  | 'heading'
  | 'strong'
  /** The name of a thing, and text as it stands in a file or on the wire. */
  | 'name'
  | 'code'
  | 'label'
  | 'dim'
  | 'error'
  | 'warning'
  | 'info'
  | 'good'
  | 'removed-words'
  | 'added-words';

/** Where a text leads: to a line of a file, or to another place of the same page. */
export type SpanTarget =
  | { readonly kind: 'file'; readonly file: string; readonly line: number }
  | { readonly kind: 'anchor'; readonly anchor: string };

/** A text with one style. It may be untrusted: every printer escapes it. */
export interface StyledSpan {
  readonly text: string;
  readonly style?: Style;
  readonly to?: SpanTarget;
  /** Whether line breaks in the text stay; otherwise they are spelled out. */
  readonly breaks?: true;
  /** Whether a terminal keeps it on one row, however narrow it is. */
  readonly whole?: true;
}

/** A text of one or more spans. */
export type Inline = readonly (StyledSpan | string)[];

/** A sign before an entry, readable without colour, or a word in a column of words; with neither, only how good or bad it is. */
export interface EntryMark {
  readonly sign?: string;
  /** Shown where there is no sign, and beside it in formats with room for both. */
  readonly word?: string;
  readonly style: Style;
}

/** A reason for which an entry is remarkable: `weakens: no longer blocks requests`. */
export interface EntryNote {
  readonly label: string;
  readonly text: string;
  readonly level: 'warning' | 'good' | 'plain';
  /** Whether only a page has room for it. */
  readonly pageOnly?: true;
  /** What a page shows of it beside the name; nothing unless given. */
  readonly badge?: string;
}

/** A sentence or a line. */
export interface ParagraphBlock {
  readonly kind: 'paragraph';
  readonly text: Inline;
  /** By how much further rows are indented in a terminal. */
  readonly hang?: number;
  /** Whether it stands for entries of a list that are not shown. */
  readonly gap?: true;
}

/** One of the things that a document lists: what it is in a line, and below that what belongs to it. */
export interface EntryBlock {
  readonly kind: 'entry';
  readonly mark?: EntryMark | undefined;
  readonly title: Inline;
  /** Further facts, in the order of their importance. */
  readonly facts?: readonly Inline[];
  readonly notes?: readonly EntryNote[];
  readonly body?: readonly Block[];
  /** What belongs to it is a part of it, such as the clauses of a condition, and not something about it. */
  readonly parts?: true;
  /** Whether a blank line follows. */
  readonly apart?: true;
  /** By what other places lead here. */
  readonly anchor?: string;
  readonly page?: EntryOnPage;
}

/** By what a page filters a thing. */
export interface Filtered {
  readonly facet: string;
  readonly isSevere: boolean;
}

/** What only a page needs of an entry. */
export interface EntryOnPage extends Filtered {
  /** The place in the order of importance, from 0: where there is no room for all, the first are shown. */
  readonly rank: number;
  /** Whether its body is unfolded. */
  readonly open: boolean;
  /** What it is about, where its body does not say so. */
  readonly about: string;
  /** Links back to what mentions it. */
  readonly mentions: Inline;
}

/** A part of a document with a title. Its body may be produced on demand. */
export interface SectionBlock {
  readonly kind: 'section';
  /** 1: a part that a reader looks for; 2: a thing in it; 3: a remark. */
  readonly rank: 1 | 2 | 3;
  readonly title: Inline;
  /** What else is to be known of it, after the title. */
  readonly facts?: readonly Inline[];
  /** What is in it, in numbers: shown where the body is folded. */
  readonly tally?: readonly Inline[];
  /** Whether formats that can fold a body do so. */
  readonly folded?: boolean;
  /** Whether the next block follows without a blank line. */
  readonly close?: true;
  readonly body: Iterable<Block>;
  /** How many of which things it is about, for a count of what did not fit. */
  readonly stands?: { readonly count: number; readonly noun: string };
  readonly anchor?: string;
  /** Links back to what mentions it, for a page. */
  readonly mentions?: Inline;
  /** What became of it, or what it does, for a page. */
  readonly badge?: StyledSpan;
  /** Given if a page filters it as a whole; otherwise it is shown with any entry in it. */
  readonly filtered?: Filtered;
}

/** Returns rows in their groups, those of no group first. */
export function groupedRows(rows: readonly FieldRow[]): ReadonlyMap<string, readonly FieldRow[]> {
  return new Map([['', []], ...groupBy(rows, ({ group }) => group)]);
}

/** The two sides of a difference, and how each is introduced. */
export interface DifferenceSides {
  readonly before: DifferenceSide;
  readonly after: DifferenceSide;
  /** The separator between both on one line. */
  readonly between: string;
}

/** A side of a difference. */
export interface DifferenceSide {
  /** Before its value within a line, and at the beginning of its own line. */
  readonly inline: string;
  readonly leading: string;
  /** The word for it, where sides are told apart by words. */
  readonly word: string;
  /** The sign of its lines in a diff. */
  readonly sign: '-' | '+';
  readonly style: Style;
}

/** A field to show: its value, or how it differs. A side that is absent is not set. */
export interface FieldRow {
  readonly label: string;
  /** The heading of the row, such as the managed rule that is overridden; "" for none. */
  readonly group: string;
  readonly value:
    | { readonly kind: 'is'; readonly value: JsonValue }
    | ({ readonly kind: 'differs' } & ValuePair)
    /** Already formatted. */
    | { readonly kind: 'told'; readonly spans: Inline };
}

/** A value that one or both sides of a difference have. */
export interface ValuePair {
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Named values, or how they differ. */
export interface FieldsBlock {
  readonly kind: 'fields';
  readonly rows: readonly FieldRow[];
  readonly sides: DifferenceSides;
  /** The side of values that have no counterpart. */
  readonly side?: 'before' | 'after';
}

/** A text as it stands in a file, or the hunks of a unified diff. */
export interface VerbatimBlock {
  readonly kind: 'verbatim';
  readonly language: 'diff' | 'yaml' | 'text';
  readonly lines: readonly string[];
}

/** The lines of a file around a place, which is marked; formats that link to the place may leave it out. */
export interface FrameBlock {
  readonly kind: 'frame';
  readonly frame: (width: number) => string;
}

/** A table of counts that gives an overview of what follows. Where nothing is out of sight, it is left out. */
export interface OverviewBlock {
  readonly kind: 'overview';
  readonly title: Inline;
  /** The titles of the columns of words, and of those of numbers. */
  readonly words: readonly string[];
  readonly numbers: readonly OverviewNumber[];
  readonly rows: readonly OverviewRow[];
  /** What the rows are: `ruleset`. */
  readonly noun: string;
}

/** A column of numbers: its title, and the words after a number that stands alone. */
export interface OverviewNumber {
  readonly title: string;
  readonly words: (count: number) => string;
  readonly isSevere: boolean;
}

/** A row of an overview; the most severe come first. */
export interface OverviewRow {
  readonly words: readonly Inline[];
  readonly numbers: readonly number[];
  /** The number of things that it stands for. */
  readonly stands: number;
}

/** What must not be overlooked, under a title. */
export interface CalloutBlock {
  readonly kind: 'callout';
  readonly level: 'error' | 'warning' | 'info';
  readonly title: Inline;
  readonly entries: readonly EntryBlock[];
  /** The number of entries that are shown; all unless given. */
  readonly most?: number;
  /** Where the others are seen: `marked below`. */
  readonly more?: string;
}

/** Many names. */
export interface NamesBlock {
  readonly kind: 'names';
  readonly names: readonly StyledSpan[];
  /** The number of names that a terminal shows; all unless given. */
  readonly most?: number;
}

/** The order of things before and after, drawn with a line for each that moves. */
export interface OrderBlock {
  readonly kind: 'order';
  readonly caption: string;
  readonly before: OrderColumn;
  readonly after: OrderColumn;
}

/** A column of an order. */
export interface OrderColumn {
  readonly title: string;
  readonly rows: readonly OrderRow[];
}

/** A numbered thing, which moves if the other column has its key; or a run of things that stay. */
export type OrderRow =
  | {
      readonly kind: 'thing';
      readonly number: number;
      readonly name: string;
      readonly style: Style;
      readonly key: string | null;
    }
  | { readonly kind: 'run'; readonly text: string };

/** The same content twice: whole, for formats in which a reader unfolds what they want, and in brief. */
export interface EitherBlock {
  readonly kind: 'either';
  readonly whole: Iterable<Block>;
  readonly brief: readonly Block[];
}

/** A part of a document. */
export type Block =
  | ParagraphBlock
  | EntryBlock
  | SectionBlock
  | FieldsBlock
  | VerbatimBlock
  | FrameBlock
  | OverviewBlock
  | CalloutBlock
  | NamesBlock
  | OrderBlock
  | EitherBlock;

/** A result as all formats for people show it. */
export interface Document {
  /** The command, as a title: `Rulewright plan`. */
  readonly title: string;
  /** What exactly it is about; a terminal shows it only above a body. */
  readonly heading?: Inline;
  /** The result in sentences. A terminal shows them last, where they are seen; other formats first. */
  readonly summary?: readonly Inline[];
  /** The rest. It may be produced on demand, so that a long document is never in memory as a whole. */
  readonly body: Iterable<Block>;
  readonly page?: PageParts;
}

/** What only a page shows, beside the content. */
export interface PageParts {
  /** The counts in numbers, the most important first. */
  readonly counts: readonly { readonly count: number; readonly what: string; readonly style: Style }[];
  /** The stations on a way, with links to what the document says about them. */
  readonly map: DocumentMap | null;
  readonly filter: DocumentFilter | null;
  readonly footer: Inline;
}

/** The stations on a way. */
export interface DocumentMap {
  readonly label: string;
  readonly groups: readonly {
    readonly title: string;
    readonly stations: readonly {
      readonly name: string;
      /** What is there; null for nothing. */
      readonly note: string | null;
      readonly isSevere: boolean;
      readonly anchor: string | null;
    }[];
  }[];
}

/** How the entries of a page can be filtered. */
export interface DocumentFilter {
  readonly facets: readonly (readonly [facet: string, word: string])[];
  /** What severe entries are. */
  readonly severe: string;
  /** The sections of rank 1 by name. */
  readonly sections: readonly (readonly [anchor: string, name: string])[];
}

/** Returns a span with a style. */
export function span(style: Style, text: string, to?: SpanTarget): StyledSpan {
  return to === undefined ? { text, style } : { text, style, to };
}

/** Returns a message of this program, which may contain untrusted text; its line breaks stay. */
export function message(text: string, style?: Style): StyledSpan {
  return style === undefined ? { text, breaks: true } : { text, style, breaks: true };
}

/** Returns a command line that can be pasted: no printer breaks it. */
export function commandLine(text: string): StyledSpan {
  return { text, style: 'code', whole: true };
}

/** Returns a paragraph. */
export function paragraph(...text: Inline): Block {
  return { kind: 'paragraph', text };
}

/** Returns a section. */
export function section(
  rank: SectionBlock['rank'],
  title: Inline,
  body: Iterable<Block>,
  more: Partial<Omit<SectionBlock, 'kind' | 'rank' | 'title' | 'body'>> = {},
): SectionBlock {
  return { kind: 'section', rank, title, body, ...more };
}

/** Returns an entry. */
export function entry(
  mark: EntryMark | undefined,
  title: Inline,
  more: Partial<Omit<EntryBlock, 'kind' | 'mark' | 'title'>> = {},
): EntryBlock {
  return { kind: 'entry', mark, title, ...more };
}

/** Returns sentences that stand together, with a blank line after the last in a terminal. */
export function sentences(texts: readonly Inline[]): readonly EntryBlock[] {
  return texts.map((text, index) =>
    entry(undefined, text, { parts: true, ...(index === texts.length - 1 ? { apart: true } : {}) }),
  );
}

/** Returns the paragraph of a message; none when it is undefined. */
export function messageBlocks(text: string | undefined, style?: Style): readonly Block[] {
  return text === undefined ? [] : [paragraph(message(text, style))];
}

/** Returns the paragraph of a hint, labelled as one; none when it is undefined. */
export function hintBlocks(hint: string | undefined): readonly Block[] {
  return hint === undefined ? [] : [paragraph(span('info', 'hint'), ': ', message(hint))];
}

/** Returns the text of spans. */
export function plainText(text: Inline): string {
  return text.map((one) => (typeof one === 'string' ? one : one.text)).join('');
}

/** The sides of a change that is to be made, or was. */
export const CHANGE_SIDES: DifferenceSides = {
  before: { inline: '', leading: '- ', word: 'before', sign: '-', style: 'removed' },
  after: { inline: '', leading: '+ ', word: 'after', sign: '+', style: 'added' },
  between: ' → ',
};

/** The text for a value that is not set. */
export const UNSET = '(not set)';

/** The number of entries that a page lists; of more, those that matter most. */
export const MOST_LISTED = 2_000;
