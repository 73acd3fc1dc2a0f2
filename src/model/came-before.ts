/** Number of texts remembered at a time. */
const PLACES = 65_536;

/**
 * Returns a function that tells whether it was given a text before, in constant memory. It keeps only a 32-bit hash per text: a text may be
 * forgotten, and one in billions taken for another. Use it only to decide what is worth keeping.
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

/** 32-bit FNV-1a over UTF-16 code units; never 0, which marks an empty slot. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0 || 1;
}
