import { expect } from 'vitest';

/** Holds an output to what a page shows of it, where a line `…` stands for any number of lines. */
export function expectShown(output: string, shown: string): void {
  const parts = shown.split(/^…\n/mu).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`));
  expect(output).toMatch(new RegExp(`^${parts.join(String.raw`(?:.*\n)+`)}$`, 'u'));
}
