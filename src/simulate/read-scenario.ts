import { parseIpAddress } from '../data/index.ts';
import { encodeBytes, toInt } from '../expression/index.ts';
import { readTime, timeProblem } from '../text/index.ts';
import type { TestDocument } from '../model/generated/documents.ts';
import { BROWSER_AGENT } from './browser.ts';
import type { Scenario, SimulatedRequest, SimulatedResponse } from './exchange.ts';
import type { Header } from './headers.ts';
import { valuesOf } from './headers.ts';
import { NO_NEW_FIELDS } from './new-fields.ts';
import type { NewFields } from './new-fields.ts';
import { readFields } from './read-fields.ts';
import type { TestProblem } from './test-problem.ts';
import { splitUrl } from './url.ts';
import type { Url } from './url.ts';

type ScenarioTest = TestDocument['tests'][number];
type FullRequest = Exclude<ScenarioTest['request'], string>;
type HeaderMap = NonNullable<FullRequest['headers']>;
type ScenarioPath = TestProblem['path'];

/** A scenario, or everything that is wrong with it. */
export type ReadScenario =
  | { readonly kind: 'read'; readonly scenario: Scenario }
  | { readonly kind: 'invalid'; readonly problems: readonly TestProblem[] };

/** What a scenario is read from: a test, what all tests of its file share, and the zone. */
export interface ScenarioSource {
  readonly test: Pick<ScenarioTest, 'request' | 'response' | 'count' | 'at'>;
  readonly shared?: TestDocument['request'];
  /** When all requests of the file are made that do not say it themselves. */
  readonly at?: string | undefined;
  /** IANA name of the zone of times without an offset; UTC unless given. */
  readonly timeZone?: string | undefined;
  /** The zone's name, which is the host of URLs that are only a path. */
  readonly zone: string;
  /** Where the test stands in its document. */
  readonly path: ScenarioPath;
  /** Fields of a newer service that rules of the zone test. */
  readonly newFields?: NewFields;
}

/** Reads a request, and the response to it if there is one, from a test. */
export function readScenario({
  test,
  shared = {},
  zone,
  path,
  at: sharedAt,
  timeZone,
  newFields = NO_NEW_FIELDS,
}: ScenarioSource): ReadScenario {
  const own = typeof test.request === 'string' ? { url: test.request } : test.request;
  const at = typeof test.request === 'string' ? [...path, 'request'] : [...path, 'request', 'url'];
  const url = splitUrl(encodeBytes(own.url), encodeBytes(zone.toLowerCase()));
  const request = readRequest(own, { shared, path: [...path, 'request'], newFields });
  const response =
    test.response === undefined
      ? undefined
      : readResponse(test.response, { path: [...path, 'response'], newFields });
  const time = readMoment(test.at ?? sharedAt, request.parts.fields, {
    path: test.at === undefined ? ['at'] : [...path, 'at'],
    timeZone,
  });
  const problems = [
    ...(url === undefined ? [noUrl(own.url, at)] : []),
    ...request.problems,
    ...time.problems,
    ...(response?.problems ?? []),
  ];
  if (url === undefined || problems.length > 0) {
    return { kind: 'invalid', problems };
  }
  const { count } = test;
  return {
    kind: 'read',
    scenario: {
      request: { ...request.parts, fields: time.fields, url, headers: withHost(request.parts.headers, url) },
      ...(response === undefined ? {} : { response: response.response }),
      ...(count === undefined ? {} : { count }),
      ...(timeZone === undefined ? {} : { timeZone }),
    },
  };
}

/** The field that says when a request is made. */
export const SECOND = 'http.request.timestamp.sec';

/** Adds the time of a request to its fields. */
function readMoment(
  text: string | undefined,
  fields: SimulatedRequest['fields'],
  { path, timeZone = 'UTC' }: { readonly path: ScenarioPath; readonly timeZone?: string | undefined },
): Pick<SimulatedRequest, 'fields'> & { readonly problems: readonly TestProblem[] } {
  if (text === undefined) {
    return { fields, problems: [] };
  }
  const read = readTime(text, timeZone);
  if (read?.kind !== 'one') {
    return {
      fields,
      problems: [{ code: 'test/time', path, ...timeProblem(text, read, timeZone) }],
    };
  }
  return fields.has(SECOND)
    ? {
        fields,
        problems: [
          {
            code: 'test/time',
            path,
            message: `\`at\` and \`${SECOND}\` both say when`,
            hint: 'give one of them',
          },
        ],
      }
    : { fields: new Map([...fields, [SECOND, toInt(BigInt(read.seconds))]]), problems: [] };
}

interface ReadParts {
  readonly parts: Omit<SimulatedRequest, 'url'>;
  readonly problems: readonly TestProblem[];
}

/** Reads the request of a test together with the one its file shares. Headers and fields are merged by name; the test's own win. */
function readRequest(
  own: FullRequest,
  {
    shared,
    path,
    newFields,
  }: {
    readonly shared: NonNullable<TestDocument['request']>;
    readonly path: ScenarioPath;
    readonly newFields: NewFields;
  },
): ReadParts {
  const all = { ...shared, ...own };
  const { method = 'GET', ip, body } = all;
  const ownFields = readFields(own.fields ?? {}, [...path, 'fields'], { side: 'request', newFields });
  const sharedFields = readFields(shared.fields ?? {}, ['request', 'fields'], { side: 'request', newFields });
  const address = ip === undefined ? undefined : parseIpAddress(ip);
  const headers = joinHeaders(shared.headers ?? {}, own.headers ?? {});
  const saysAgent = Object.keys(headers).some((name) => name.toLowerCase() === AGENT);
  const ipPath = own.ip === undefined ? ['request', 'ip'] : [...path, 'ip'];
  return {
    parts: {
      method: encodeBytes(method),
      ...(address === undefined ? {} : { ip: address }),
      headers: readHeaders(saysAgent ? headers : { [AGENT]: BROWSER_AGENT, ...headers }),
      ...(saysAgent ? {} : { assumedAgent: BROWSER_AGENT }),
      ...(body === undefined ? {} : { body: encodeBytes(body) }),
      fields: new Map([...sharedFields.values, ...ownFields.values]),
      challengeSolved: all.challenge_solved === true,
    },
    problems: [
      ...(ip === undefined || address !== undefined ? [] : [noAddress(ip, ipPath)]),
      ...sharedFields.problems,
      ...ownFields.problems,
    ],
  };
}

/**
 * A request without a user agent is the exception, so that a browser's is assumed: rules that end requests without one would end all others
 * too.
 */
const AGENT = 'user-agent';

function readResponse(
  given: NonNullable<ScenarioTest['response']>,
  { path, newFields }: { readonly path: ScenarioPath; readonly newFields: NewFields },
): { readonly response: SimulatedResponse; readonly problems: readonly TestProblem[] } {
  const { status = 200, headers = {}, fields = {} } = given;
  const { values, problems } = readFields(fields, [...path, 'fields'], { side: 'response', newFields });
  return { response: { status, headers: readHeaders(headers), fields: values }, problems };
}

function joinHeaders(shared: HeaderMap, own: HeaderMap): HeaderMap {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const kept = Object.entries(shared).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...own };
}

function readHeaders(given: HeaderMap): readonly Header[] {
  return Object.entries(given).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => ({
      name: encodeBytes(name),
      value: encodeBytes(String(one)),
    })),
  );
}

/** Every request has a `host` header. */
function withHost(headers: readonly Header[], { host }: Url): readonly Header[] {
  return valuesOf(headers, 'host').length > 0 ? headers : [{ name: 'host', value: host }, ...headers];
}

function noUrl(text: string, path: ScenarioPath): TestProblem {
  return {
    code: 'test/url',
    path,
    message: `${JSON.stringify(text)} is not a URL`,
    hint: 'write https://shop.example/admin, or /admin for the zone itself',
  };
}

function noAddress(text: string, path: ScenarioPath): TestProblem {
  return {
    code: 'test/address',
    path,
    message: `${JSON.stringify(text)} is not an IP address`,
    hint: 'write one address, such as 198.51.100.20 or 2001:db8::1',
  };
}
