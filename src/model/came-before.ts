/** Texts that are remembered at a time. */
const PLACES = 65_536;

/**
 * Tells of each text whether it came before, and takes as much memory however many come. A hash of each is all that stays, so a text may
 * be forgotten, and one among thousands of millions be taken for another: good for deciding what is worth keeping, and nothing else.
 */
export function createCameBefore(): (text: string) => boolean {
  const hashes = new Uint32Array(PLACES);
  return (text) => {
    const hash = hashOf(text);
    const place = hash % PLACES;
    const came = hashes[place] === hash;
    hashes[place] = hash;
    return came;
  };
}

/** FNV-1a of 32 bits, over UTF-16 units; never 0, which stands for nothing. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0 || 1;
}
