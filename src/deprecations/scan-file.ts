import type { DeprecationUse, FileUses, UseSign } from '../model/retired/deprecation-use.ts';
import type { RouteMatch } from './match-route.ts';
import type { FileLine } from './requests-in.ts';
import { readRequests, spanOf } from './requests-in.ts';
import type { Company } from './signs.ts';
import { SIGNS } from './signs.ts';

/** Reads a file line by line. */
export interface FileScan {
  /** The next line; with an offset the next piece of the same one. */
  line(text: string, offset?: number): void;
  /** What was found, in the order of the file. Call it once, behind the last line. */
  end(): FileUses;
}

/** Lines between a sign and its company. */
const NEAR = 30;

/** Uses of one kind in one file that are told with their places: a log of a million requests repeats itself. */
const PLACES_OF_A_KIND = 20;

/** Uses of one kind whose company is still to be seen. */
const WAITING_OF_A_KIND = 1000;

/** A line without one of these holds no path of the registry. */
const ROOTS = /zones|accounts|organizations|radar|\buser\//u;

/** A line without one of these holds no sign, and nothing that gives company to one. */
const SIGN_WORDS = new RegExp(
  [
    'cloudflare|dns_records|set_config|firewall|filters|waf|rate_?limits?',
    '_ns_by_default|default_nameservers|cname_flattening|zone_name|locked|error_chain|notification_email',
    'self_hosted_domains|audit_ssh|service[_-]key|threat_score|mirage|minify|brotli|mobile_redirect|server_side_exclude',
    'privacy_pass|security_level',
  ].join('|'),
  'iu',
);

interface Candidate {
  readonly use: DeprecationUse;
  readonly company: Company;
}

/**
 * Looks for uses of what the service retires in the text of a file, whatever its kind: requests by their
 * paths, fields, Terraform blocks, calls of libraries, parameters of rules. What other services could mean as
 * well counts only in the company of a word of this one.
 */
export function scanFile(file: string): FileScan {
  const candidates: Candidate[] = [];
  const counts = new Map<string, number>();
  const seen = createSightings();
  let number = 0;
  const add = (use: DeprecationUse, company: Company): void => {
    const kind = `${kindOf(use)} ${company.kind}`;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count <= (company.kind === 'none' ? PLACES_OF_A_KIND : WAITING_OF_A_KIND)) {
      candidates.push({ use, company });
    }
  };
  const requests = readRequests({
    route: seen.route,
    request: ({ match, method, where }) => {
      const sign: UseSign = { kind: 'route', method, path: match.route.path };
      add({ deprecation: match.row.id, sign, where }, { kind: match.common ? 'service' : 'none' });
    },
  });
  const readSigns = (line: FileLine): void => {
    const { text } = line;
    for (const { deprecation, kind, pattern, company } of SIGNS) {
      for (const match of text.matchAll(pattern)) {
        const used = match[1] ?? match[0];
        const name = used.replaceAll(/^["'.\s]+|[({\s=:"']+$/gu, '');
        const start = match.index + match[0].indexOf(name);
        const where = spanOf(line, [start, start + name.length]);
        add({ deprecation, sign: { kind, name }, where }, company);
      }
    }
  };
  return {
    line(text, offset = 0) {
      number += offset === 0 ? 1 : 0;
      const line = { file, text, number, offset };
      requests.line(line, ROOTS.test(text));
      if (SIGN_WORDS.test(text)) {
        seen.line(text, number);
        readSigns(line);
      }
    },
    end() {
      requests.end();
      return told(
        candidates.filter(({ use, company }) => seen.keeps(use, company)),
        counts,
      );
    },
  };
}

/** What was seen in a file that gives company to a sign. */
function createSightings(): {
  readonly route: (match: RouteMatch, line: number) => void;
  readonly line: (text: string, number: number) => void;
  readonly keeps: (use: DeprecationUse, company: Company) => boolean;
} {
  const words = new Map<string, RegExp>(
    SIGNS.flatMap(({ company }) =>
      company.kind === 'near' && company.words !== null ? [[company.words.source, company.words]] : [],
    ),
  );
  const lines = new Map<string, number[]>();
  let service = false;
  const note = (key: string, line: number): void => {
    const known = lines.get(key) ?? [];
    known.push(line);
    lines.set(key, known);
  };
  const isNear = (key: string, line: number): boolean =>
    lines.get(key)?.some((other) => Math.abs(other - line) <= NEAR) === true;
  return {
    route: ({ row }, line) => {
      note(`route ${row.id}`, line);
    },
    line: (text, number) => {
      service ||= /cloudflare/iu.test(text);
      for (const [source, pattern] of words) {
        if (pattern.test(text)) {
          note(source, number);
        }
      }
    },
    keeps: ({ deprecation, where }, company) => {
      switch (company.kind) {
        case 'none':
          return true;
        case 'service':
          return service;
        case 'near':
          return (
            isNear(`route ${deprecation}`, where.start.line) ||
            (company.words !== null && isNear(company.words.source, where.start.line))
          );
        default:
          return company satisfies never;
      }
    },
  };
}

/** The first places of each kind, in the order of the file, one use a place; and how many there are beyond. */
function told(candidates: readonly Candidate[], counts: ReadonlyMap<string, number>): FileUses {
  const places = new Set<string>();
  const perKind = new Map<string, number>();
  let more = [...counts].reduce(
    (sum, [kind, count]) => sum + (kind.endsWith(' none') ? Math.max(0, count - PLACES_OF_A_KIND) : 0),
    0,
  );
  const uses = candidates.flatMap(({ use }): readonly DeprecationUse[] => {
    const { line, column } = use.where.start;
    const place = `${use.deprecation} ${line}:${column}`;
    if (places.has(place)) {
      return [];
    }
    places.add(place);
    const kind = kindOf(use);
    const count = (perKind.get(kind) ?? 0) + 1;
    perKind.set(kind, count);
    more += count > PLACES_OF_A_KIND ? 1 : 0;
    return count > PLACES_OF_A_KIND ? [] : [use];
  });
  return {
    uses: uses.toSorted(
      ({ where: { start: a } }, { where: { start: b } }) => a.line - b.line || a.column - b.column,
    ),
    more,
  };
}

function kindOf({ deprecation, sign }: DeprecationUse): string {
  return `${deprecation} ${sign.kind === 'route' ? `${sign.method ?? ''} ${sign.path}` : sign.name}`;
}
