/**
 * Parts of the program that can be taken out. The one that there is handles what the service retires. Without its folder, and with this line in place of
 * the one below, the rest builds and works:
 *
 *     export const extension = undefined, extensionCommands = {};
 */
export { legacy as extension, legacyCommands as extensionCommands } from './legacy/index.ts';
