import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A statement that passes names on from a file of the room. */
const PASSED = /^export \{([^}]*)\} from '([^']+)';/gm;
const STATIC = /^import \{([^}]*)\} from '([^']+\/index\.ts)';/gm;
const LAZY = /const \{([^}]*)\} = await import\('([^']+\/index\.ts)'\)/g;
const LAZY_MEMBER = /\(await import\('([^']+\/index\.ts)'\)\)\.(\w+)/g;

const faces = new Map();

/** Where the names of a face come from: file by name; a name of the face's own is not in it. */
function originsOf(face) {
  const known = faces.get(face);
  if (known !== undefined) {
    return known;
  }
  const origins = new Map(
    [...(existsSync(face) ? readFileSync(face, 'utf8') : '').matchAll(PASSED)].flatMap(([, names, from]) =>
      namesIn(names).map((name) => [name, join(dirname(face), from)]),
    ),
  );
  faces.set(face, origins);
  return origins;
}

const namesIn = (text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/**
 * Has each file import what it needs of other rooms from where it is, and not by the room's face. The bundler puts all that a file can reach
 * into one chunk, so that by the faces every command would load all of the program.
 */
export const directImports = {
  name: 'direct-imports',
  transform(code, id) {
    if (!id.includes('/src/') || !code.includes('/index.ts')) {
      return null;
    }
    const resolve = (name, spec) => {
      const face = join(dirname(id), spec);
      const origin = originsOf(face).get(name.split(' ')[0]) ?? face;
      const path = relative(dirname(id), origin);
      return path.startsWith('.') ? path : `./${path}`;
    };
    return code
      .replaceAll(STATIC, (_, names, spec) =>
        namesIn(names)
          .map((name) => `import { ${name} } from '${resolve(name, spec)}';`)
          .join(' '),
      )
      .replaceAll(LAZY, (whole, names, spec) => {
        const from = new Set(namesIn(names).map((name) => resolve(name, spec)));
        return from.size === 1 ? `const {${names}} = await import('${[...from][0]}')` : whole;
      })
      .replaceAll(LAZY_MEMBER, (_, spec, name) => `(await import('${resolve(name, spec)}')).${name}`);
  },
};
