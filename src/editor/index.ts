/**
 * The language server, for the command line: what an editor asks over the Language Server Protocol, answered from the files as typed.
 *
 * Promises: the findings are those of `validate`, at the characters they are about; only what has changed is read anew; no input ends the server.
 * Never: opens a connection, reads the environment or a file outside of the editor's folders, writes a file, or runs anything.
 */
export { serveEditor } from './serve-editor.ts';
