import { fileURLToPath } from 'node:url';

/**
 * The same code that Node gets as CommonJS, for browsers, as modules: without a function around each of its files, which V8 compiles one by
 * one, without what nothing uses, and without asking the environment for each word of a file whether words are to be logged.
 */
export const yamlModules = fileURLToPath(new URL('../node_modules/yaml/browser/index.js', import.meta.url));
