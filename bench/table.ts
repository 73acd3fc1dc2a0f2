/** Prints rows as a plain table with a title. */
export function printTable(title: string, rows: readonly Readonly<Record<string, string | number>>[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => String(row[column]).length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) =>
        index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join('  ');
  console.log(`\n${title}`);
  console.log(line(columns));
  for (const row of rows) {
    console.log(line(columns.map((column) => String(row[column]))));
  }
}

/** The median of some numbers. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Two decimals. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Median milliseconds of some runs of a function. */
export async function medianTime(runs: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** The least user CPU time, in milliseconds, of some runs of each of several works, in turns, so that all run under the same conditions. */
export async function leastCpu<Works extends Readonly<Record<string, () => unknown>>>(
  rounds: number,
  works: Works,
): Promise<Readonly<Record<keyof Works & string, number>>>;
export async function leastCpu(
  rounds: number,
  works: Readonly<Record<string, () => unknown>>,
): Promise<Readonly<Record<string, number>>> {
  const least = new Map<string, number>();
  for (let run = 0; run < rounds; run += 1) {
    for (const [name, work] of Object.entries(works)) {
      const start = process.cpuUsage();
      await work();
      const { user } = process.cpuUsage(start);
      least.set(name, Math.min(least.get(name) ?? Infinity, user / 1000));
    }
  }
  return Object.fromEntries(least);
}
