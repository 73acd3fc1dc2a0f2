import type { ScopeRef } from '../model/scope.ts';
import { zoneName } from '../model/scope.ts';

/**
 * A text with `mark` for the name in the label of a scope, `zone:shop.example`. That of a zone goes wherever it stands as a whole, with its
 * account and alone. An account may bear the name of anything, such as an action, so there only the label tells.
 */
export function withoutName(text: string, label: string, mark: string): string {
  const scope: ScopeRef = { kind: kindOf(label) === 'zone' ? 'zone' : 'account', name: nameOf(label) };
  return namesOf(scope).reduce((rest, name) => {
    const sought = isTelling(scope.kind, name) ? name : `${scope.kind}:${name}`;
    return withoutWhole(rest, sought, sought === name ? mark : `${scope.kind}:${mark}`);
  }, text);
}

/** The names of a scope, the longest first: that of a zone with its account, and alone. */
export function namesOf(scope: ScopeRef): readonly string[] {
  return [...new Set([scope.name, zoneName(scope).bare])];
}

/** A text with `mark` wherever this stands as a whole, not as a part of another name. */
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

/** Whether a name is that of a zone and no number. */
function isTelling(kind: ScopeRef['kind'], name: string): boolean {
  return kind === 'zone' && ZONE.test(name);
}

const ZONE = /\.\p{L}[^.]*$/u;

/** What makes a name the part of another one. */
const LEFT = /[\p{L}\p{N}_-]$/u;
const RIGHT = /^\.?[\p{L}\p{N}_-]/u;

/** The name of a scope in its label. */
export function nameOf(label: string): string {
  return label.slice(kindOf(label).length + 1);
}

/** The kind of a scope in its label: `zone`. */
export function kindOf(label: string): string {
  return label.slice(0, label.indexOf(':'));
}
