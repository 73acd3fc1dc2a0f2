import type { ScopeRef } from '../model/index.ts';
import { zoneName } from '../model/index.ts';

/**
 * Replaces the name of a scope in a text by `mark`; `label` is `zone:shop.example`. The name of a zone is replaced wherever it occurs as a whole, with
 * and without its account. An account may have the name of anything, such as an action, so only its whole label is replaced.
 */
export function withoutName(text: string, label: string, mark: string): string {
  const scope: ScopeRef = { kind: kindOf(label) === 'zone' ? 'zone' : 'account', name: nameOf(label) };
  return namesOf(scope).reduce((rest, name) => {
    const sought = isTelling(scope.kind, name) ? name : `${scope.kind}:${name}`;
    return withoutWhole(rest, sought, sought === name ? mark : `${scope.kind}:${mark}`);
  }, text);
}

/** Returns the names of a scope, the longest first: a zone's with and without its account. */
export function namesOf(scope: ScopeRef): readonly string[] {
  return [...new Set([scope.name, zoneName(scope).bare])];
}

/** Replaces a text by `mark` wherever it occurs as a whole, not as part of a longer name. */
export function withoutWhole(text: string, sought: string, mark: string): string {
  const parts = text.split(sought);
  return parts
    .map((part, index) => {
      const left = parts[index - 1];
      return left === undefined
        ? part
        : (LEFT.test(left.slice(-2)) || RIGHT.test(part) ? sought : mark) + part;
    })
    .join('');
}

/** Whether a name can only be a zone's: it does not end in a number. */
function isTelling(kind: ScopeRef['kind'], name: string): boolean {
  return kind === 'zone' && ZONE.test(name);
}

const ZONE = /\.\p{L}[^.]*$/u;

/** Characters that make a name part of a longer one. */
const LEFT = /[\p{L}\p{N}_-]$/u;
const RIGHT = /^\.?[\p{L}\p{N}_-]/u;

/** Returns the name of a scope from its label. */
export function nameOf(label: string): string {
  return label.slice(kindOf(label).length + 1);
}

/** Returns the kind of a scope from its label: `zone`. */
export function kindOf(label: string): string {
  return label.slice(0, label.indexOf(':'));
}
