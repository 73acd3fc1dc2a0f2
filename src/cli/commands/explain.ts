import { command } from '../command.ts';
import { nonEmpty } from '../flag.ts';
import { EXPLAIN_FLAGS } from '../flags/explain.ts';

/** `rulewright explain`. */
export const explainCommand = command({
  run: async () => (await import('../run/explain.ts')).runExplain,
  brief: 'Show what each rule does with one request, and why',
  text: `Sends one request through the rules of the files. Shows what each rule does with
it, which clause decides, and how the request ends. Needs no network. With
--live, it reads all rules of the zone and its account, including rules of
others.`,
  examples: [
    ['rulewright explain https://shop.example/admin', 'the zone of the URL'],
    ['rulewright explain --zone shop.example /admin', 'a path of a zone'],
    ['... --ip 198.51.100.20 --method POST --count 6', 'with more of the request'],
    ['rulewright explain --live https://shop.example/admin', 'with the live rules'],
    ['... --field cf.bot_management.score=5', 'with a field'],
    ['... --header user-agent:curl/8.9', 'not from a browser'],
  ],
  flags: EXPLAIN_FLAGS,
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: nonEmpty, placeholder: 'URL', brief: 'The URL, or with --zone a path of the zone' },
    ],
  },
});
