/**
 * Finds uses of what the service retires, in any text, for `app`.
 *
 * Promises: pure; reads line by line, so that a file of any length costs what its lines cost.
 * Never: changes a file.
 */
export { scanFile } from './scan-file.ts';
