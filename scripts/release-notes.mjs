// Prints what the changelog says about the version of package.json: `node scripts/release-notes.mjs TAG`. Ends with 1, and says all that is
// missing, if the tag, the package and the changelog do not yet say the same release.
import { readFileSync } from 'node:fs';

const [tag = ''] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const changelog = readFileSync('CHANGELOG.md', 'utf8');

const heading = `## ${manifest.version} `;
const section = changelog.split(/^(?=## )/mu).find((text) => text.startsWith(heading));
const [title = '', ...lines] = section?.split('\n') ?? [];

const missing = [
  [
    tag !== `v${manifest.version}`,
    `the tag is ${tag || 'not given'}, package.json has version ${manifest.version}`,
  ],
  [lock.version !== manifest.version, `package-lock.json has version ${lock.version}: run npm install`],
  [manifest.private === true, 'package.json says "private": true, by which nothing is published'],
  [section === undefined, `CHANGELOG.md has no heading "${heading}(YYYY-MM-DD)"`],
  [
    section !== undefined && !/\(\d{4}-\d{2}-\d{2}\)$/u.test(title),
    `CHANGELOG.md gives no day of the release: "${title}" should end in (YYYY-MM-DD)`,
  ],
].flatMap(([isMissing, text]) => (isMissing ? [text] : []));

if (missing.length > 0) {
  console.error(`This is not ready to be released:\n${missing.map((text) => `  ${text}\n`).join('')}`);
  process.exit(1);
}
console.log(lines.join('\n').trim());
