/** What the command line reads YAML with: another build of the same library. */
export { parse as parseAsBundled } from 'yaml';
