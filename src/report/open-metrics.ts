import { assertNever } from '../data/index.ts';
import type { MetricFamily } from '../model/index.ts';

/** Formats metrics as OpenMetrics 1.0 text, which ends with `# EOF`. Families without samples are left out. */
export function openMetricsText(families: readonly MetricFamily[]): string {
  const lines = families.flatMap((family) =>
    family.samples.length === 0 ? [] : [...headOf(family), ...samplesOf(family)],
  );
  return `${[...lines, '# EOF'].join('\n')}\n`;
}

function headOf({ name, type, unit, help }: MetricFamily): readonly string[] {
  return [
    `# TYPE ${name} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
  ];
}

function samplesOf(family: MetricFamily): readonly string[] {
  const { name } = family;
  switch (family.type) {
    case 'counter':
      return family.samples.map(({ labels, value }) => sampleLine(`${name}_total`, labels, value));
    case 'gauge':
      return family.samples.map(({ labels, value }) => sampleLine(name, labels, value));
    case 'histogram':
      return family.samples.flatMap(({ labels, buckets, count, sum }) => [
        ...buckets.map(([bound, atMost]) =>
          sampleLine(`${name}_bucket`, { ...labels, le: boundText(bound) }, atMost),
        ),
        sampleLine(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
        sampleLine(`${name}_count`, labels, count),
        sampleLine(`${name}_sum`, labels, sum),
      ]);
    default:
      return assertNever(family);
  }
}

/** Formats a bound as a float, so that every bound has one spelling, such as `1.0`. */
function boundText(bound: number): string {
  return Number.isInteger(bound) ? `${bound}.0` : `${bound}`;
}

function sampleLine(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

function escaped(text: string): string {
  return text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('"', String.raw`\"`);
}
