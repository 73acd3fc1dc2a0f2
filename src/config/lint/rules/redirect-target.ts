import type { Diagnostic } from '../../../model/diagnostic.ts';
import { objectOf } from '../../../model/json.ts';
import type { DeclaredRule, DeclaredRuleset } from '../../project/scope-file.ts';
import { finding } from '../../source/finding.ts';
import { locateValue } from '../../yaml/yaml-document.ts';

/** An address with scheme and host, that of an app too, or a path of the same host. */
const ADDRESS = /^(?:https?:\/\/[^\s/]\S*|(?!https?:)[a-z][a-z\d+.-]*:\/\/\S+|\/\S*)$/iu;

/** Reports a redirect to a text that is no address: the service takes any text (api.md 5.6), and browsers look for it below the path. */
export function lintRedirectTarget(
  { document }: DeclaredRuleset,
  { path, value }: DeclaredRule,
): readonly Diagnostic[] {
  const target = objectOf(objectOf(value['action_parameters'])['from_value'])['target_url'];
  const { value: text } = objectOf(target);
  return typeof text !== 'string' || isAddress(text)
    ? []
    : [
        finding('lint/redirect-target', {
          message: 'the redirect target is not a URL',
          hint: 'write the whole URL, such as `https://shop.example/`; what is computed goes into `expression` instead of `value`',
          where: locateValue(document, [...path, 'action_parameters', 'from_value', 'target_url', 'value']),
        }),
      ];
}

function isAddress(text: string): boolean {
  return ADDRESS.test(text) && URL.canParse(text, 'https://a.example/');
}
