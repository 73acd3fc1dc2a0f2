import { setFlagsFromString } from 'node:v8';

/** Versions of Node that have the settings: V8 prints an error about one that it does not know. */
const KNOWN = { first: 20, last: 26 };

const SETTINGS = ['wasm-tier-up', 'wasm-dynamic-tiering'];

/**
 * Has V8 compile the parser of the HTTP library, which is WebAssembly, once. It would compile it a second time, to faster code, which takes
 * 30 MB for a moment and more CPU than is saved in 20,000 answers. To be called before the first connection; what it returns puts the
 * settings back and is called after the first answer: then the parser is compiled, and V8 refuses compiled code, that of Node itself and
 * that of earlier runs, as long as settings are not those it was made with.
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
