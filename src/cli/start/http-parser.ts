import { setFlagsFromString } from 'node:v8';

/** Major versions of Node that have the settings: V8 prints an error about a setting that it does not know. */
const KNOWN = { first: 20, last: 26 };

const SETTINGS = ['wasm-tier-up', 'wasm-dynamic-tiering'];

/**
 * Makes V8 compile the parser of the HTTP library, which is WebAssembly, only once. Compiling it a second time, to faster code, takes 30 MB for a
 * moment and more CPU than it saves in 20,000 answers. Call this before the first connection, and the returned function, which restores the settings,
 * after the first answer: the parser is compiled then, and V8 rejects code that was compiled under other settings, such as that of Node itself and of
 * earlier runs.
 */
export function compileParserOnce(nodeVersion: string): () => void {
  const version = Number.parseInt(nodeVersion, 10);
  if (version < KNOWN.first || version > KNOWN.last) {
    return () => undefined;
  }
  SETTINGS.forEach((name) => setFlagsFromString(`--no-${name}`));
  return () => {
    SETTINGS.forEach((name) => setFlagsFromString(`--${name}`));
  };
}
