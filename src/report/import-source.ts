import type { FoldedZones, OctorulesImport, SourceImport, TerraformImport } from '../model/index.ts';
import { counted, someNames } from '../text/index.ts';
import { groupBy } from '../data/index.ts';
import type { Detail } from './layout.ts';
import type { Block, CalloutBlock, EntryBlock, Inline, SectionBlock } from './tree.ts';
import { commandLine, entry, hintBlocks, message, paragraph, section, span } from './tree.ts';

/** Commands that go on after an import, as they name its project from where it ran. */
export interface CommandsAfterImport {
  /** Imports again; with `--unmanaged`, also what no file declares. */
  readonly again: string;
  readonly plan: string;
  /** Converts old rules of a zone, by a command such as `rulewright pagerules convert`, to a file of the project. */
  readonly convert: (command: string, zone: string, file: string) => string;
}

/** The most addresses, differences or blocks that are shown unless each is wanted. */
const MOST = 12;

function mostOf(detail: Detail): number {
  return detail === 'each' ? Number.MAX_SAFE_INTEGER : MOST;
}

/** Documents what became of a state of Terraform: what is left to look at, and how Terraform forgets what was imported. */
export function terraformBlocks(
  result: TerraformImport,
  detail: Detail,
  commands: CommandsAfterImport,
): readonly Block[] {
  const most = mostOf(detail);
  return [
    ...differenceCallouts(result, { name: 'The state', most, commands }),
    ...leftCallouts(result, { title: 'Not imported, and left in the state', most }),
    ...pendingCallouts(result, most),
    ...commonBlocks(result, most),
    ...conversionCallouts(result, most, commands),
    ...wayOutSections(result, detail),
  ];
}

/** Documents what became of the configuration of octorules: what is left to look at, and to do by hand. */
export function octorulesBlocks(
  result: OctorulesImport,
  detail: Detail,
  commands: CommandsAfterImport,
): readonly Block[] {
  const most = mostOf(detail);
  return [
    ...differenceCallouts(result, { name: 'octorules', most, commands }),
    ...leftCallouts(result, { title: 'Not imported', most }),
    ...callout('info', 'To be done by hand', {
      entries: result.notes.map((note) => entry(undefined, [message(note)])),
      most,
    }),
    ...commonBlocks(result, most),
  ];
}

function commonBlocks(result: SourceImport, most: number): readonly Block[] {
  return [
    ...variableCallouts(result),
    ...commentCallouts(result, most),
    ...computedCallouts(result, most),
    ...foldedSections(result),
  ];
}

/** Returns what is said at the end about octorules. */
export function octorulesSummary({ file, imported, notAsked, comments }: OctorulesImport): readonly Inline[] {
  return [
    [
      span('strong', 'From octorules'),
      `: ${counted(imported.length, 'section')} of what ${file} leads to ${imported.length === 1 ? 'is' : 'are'} in the files now. Take its job out in the commit that adds these files: whichever of the two runs later wins.`,
    ],
    ...notAskedText(notAsked, 'octorules'),
    ...takenComments(comments),
  ];
}

function notAskedText(notAsked: SourceImport['notAsked'], name: string): readonly Inline[] {
  const count = notAsked.length;
  return count === 0
    ? []
    : [
        [
          `${name === 'octorules' ? counted(count, 'section') : counted(count, 'instance')} of other zones and accounts ${count === 1 ? 'stays' : 'stay'} in ${name}; name them with --zone or --account.`,
        ],
      ];
}

function takenComments(comments: SourceImport['comments']): readonly Inline[] {
  return comments === null || comments.taken === 0
    ? []
    : [[`${counted(comments.taken, 'ruleset or rule has its', 'rulesets and rules have their')} comments.`]];
}

/** Returns what is said at the end about the state. */
export function terraformSummary({
  file,
  imported,
  notAsked,
  elsewhere,
  tool,
  comments,
  folded,
}: TerraformImport): readonly Inline[] {
  const locals = [...new Set(folded.flatMap((one) => one.locals))];
  const name = tool === 'opentofu' ? 'OpenTofu' : 'Terraform';
  const kept = elsewhere.filter(({ command }) => command === null);
  return [
    [
      span('strong', `From ${name}`),
      imported.length === 0
        ? `: nothing of ${file} is in the files.`
        : `: ${counted(imported.length, 'instance')} of ${file} ${imported.length === 1 ? 'is' : 'are'} in the files now, and ${name} manages ${imported.length === 1 ? 'it' : 'them'} too until it forgets ${imported.length === 1 ? 'it' : 'them'}.`,
    ],
    ...notAskedText(notAsked, name),
    ...(comments === null
      ? []
      : [
          [
            `${counted(comments.taken, 'ruleset or rule has', 'rulesets and rules have')} the comments of the configuration.`,
          ],
        ]),
    ...(locals.length === 0
      ? []
      : [
          [
            `Names of the configuration are variables now: ${someNames(
              locals.map((local) => `\${${local}}`),
              MOST,
            )}.`,
          ],
        ]),
    ...(kept.length === 0
      ? []
      : [[`${name} keeps what Rulewright does not manage: ${someNames(kept.map(typeText), MOST)}.`]]),
  ];
}

function typeText({ type, instances }: TerraformImport['elsewhere'][number]): string {
  return `${instances} × ${type}`;
}

/** A callout with a line for each entry, of which only so many are shown. */
function callout(
  level: CalloutBlock['level'],
  title: string,
  { entries, most }: { readonly entries: readonly EntryBlock[]; readonly most: number },
): readonly CalloutBlock[] {
  return entries.length === 0
    ? []
    : [{ kind: 'callout', level, title: [title], entries, most, more: '--verbose shows each' }];
}

function differenceCallouts(
  { differences }: SourceImport,
  {
    name,
    most,
    commands,
  }: { readonly name: string; readonly most: number; readonly commands: CommandsAfterImport },
): readonly CalloutBlock[] {
  const entries = differences.map(({ scope, address, text }, index) =>
    entry(undefined, [span('code', address === '' ? scope : address), `: ${text}`], {
      body:
        index === Math.min(differences.length, most) - 1
          ? hintBlocks(
              `The files say what ${name.replace('The', 'the')} says. To keep what is live, run ${commands.again}, or for a setting change the file; otherwise the next apply changes live.`,
            )
          : [],
    }),
  );
  return callout('warning', `${name} and live disagree, so the plan of the files is not empty`, {
    entries,
    most,
  });
}

function leftCallouts(
  { left }: SourceImport,
  { title, most }: { readonly title: string; readonly most: number },
): readonly CalloutBlock[] {
  const entries = left.map(({ address, why }) =>
    entry(undefined, [...(address === '' ? [] : [span('code', address), ': ']), message(why)]),
  );
  return callout('warning', title, { entries, most });
}

/** Old rules become rules by commands of their own: these add rules, and the plan of an import stays empty. */
function conversionCallouts(
  { elsewhere }: TerraformImport,
  most: number,
  { convert }: CommandsAfterImport,
): readonly CalloutBlock[] {
  const commands = groupBy(
    elsewhere.flatMap((one) => (one.command === null ? [] : [{ ...one, command: one.command }])),
    ({ command }) => command,
  );
  const entries = [...commands].flatMap(([command, some]) => {
    const word = command.split(' ').at(-1) ?? '';
    const found = [...new Set(some.flatMap((one) => one.zones))];
    const zones = found.length === 0 ? ['ZONE'] : found;
    return [
      entry(undefined, [someNames(some.map(typeText), MOST), ':']),
      ...zones.map((zone) =>
        entry(undefined, [
          '  ',
          commandLine(convert(`${command} convert`, zone, `zones/${zone}-${word}.yaml`)),
        ]),
      ),
    ];
  });
  return callout('info', 'Old rules, to be converted once the plan is empty, since that adds rules', {
    entries,
    most,
  });
}

function commentCallouts({ comments }: SourceImport, most: number): readonly CalloutBlock[] {
  const entries = (comments?.left ?? []).map(({ address, why }) =>
    entry(undefined, [span('code', address), ': ', message(why)]),
  );
  return callout('info', 'Comments of the configuration that are not in the files', { entries, most });
}

function computedCallouts({ computed }: SourceImport, most: number): readonly CalloutBlock[] {
  const entries = computed.map(({ address, attribute, text, file, line }) =>
    entry(undefined, [`${file}:${line}: `, span('code', `${attribute} = ${text}`), ` (${address})`]),
  );
  return callout(
    'info',
    'Named or computed by the configuration, and in the files as the value that came of it',
    {
      entries,
      most,
    },
  );
}

function pendingCallouts({ pending }: TerraformImport, most: number): readonly CalloutBlock[] {
  return callout('warning', 'The plan has changes that are not applied, and that the files do not have', {
    entries: pending.map((address) => entry(undefined, [span('code', address)])),
    most,
  });
}

function variableCallouts({ variables }: SourceImport): readonly CalloutBlock[] {
  return callout('warning', 'Set before the next plan: secrets that no file here has', {
    entries: variables.map(({ name, from, holder, addresses }) =>
      entry(undefined, [
        span('strong', from),
        ` (\${${name}} in the files): the value for ${holder} in ${someNames(addresses, 2)}`,
      ]),
    ),
    most: Number.MAX_SAFE_INTEGER,
  });
}

function foldedSections({ folded }: SourceImport): readonly SectionBlock[] {
  const shared = folded.filter(({ zones }) => zones.length > 1);
  const files = shared.filter(({ pack }) => pack === null);
  const packs = shared.filter(({ pack }) => pack !== null);
  return [
    ...sharedSections('Zones that are alike share a file', files),
    ...sharedSections('Rules that zones share are in a pack, which their files use', packs),
  ].map((one, index, all) =>
    index === all.length - 1
      ? { ...one, body: [...one.body, paragraph('--no-fold writes each zone for itself instead.')] }
      : one,
  );
}

function sharedSections(title: string, shared: readonly FoldedZones[]): readonly SectionBlock[] {
  const entries = shared.map(({ file, zones, variables }) =>
    entry(undefined, [span('code', file)], {
      facts: [
        [counted(zones.length, 'zone')],
        [
          variables.length === 0
            ? 'they are the same'
            : `what differs: ${someNames(
                variables.map((name) => `\${${name}}`),
                MOST,
              )}`,
        ],
      ],
    }),
  );
  return entries.length === 0 ? [] : [section(2, [span('heading', title)], entries)];
}

function wayOutSections(result: TerraformImport, detail: Detail): readonly SectionBlock[] {
  const { wayOut, tool } = result;
  const { resources, commands, versions } = wayOut;
  if (resources.length + commands.length === 0) {
    return [];
  }
  const most = mostOf(detail);
  const [name, command] = tool === 'opentofu' ? ['OpenTofu', 'tofu'] : ['Terraform', 'terraform'];
  const body: readonly Block[] = [
    ...blocksOut(wayOut, detail),
    ...(commands.length === 0
      ? []
      : [
          paragraph(
            'No block can name single instances. Take them out of the configuration, and run, before anything else is applied:',
          ),
          { kind: 'verbatim', language: 'text', lines: commands.slice(0, most) } as const,
          ...(commands.length > most
            ? [paragraph(`and ${commands.length - most} more; --verbose shows each`)]
            : []),
        ]),
    paragraph(
      `Then ${command} plan has to say "0 to destroy"; docs/terraform.md leads through it. ${versions}.`,
    ),
  ];
  return [section(2, [span('heading', `How ${name} forgets them, without destroying anything`)], body)];
}

/** The most resources that are named beside a file that has a block for each. */
const MOST_NAMED = 3;

/** Says what is to be done with the `removed` blocks; they are shown where no file has them, or where each is wanted. */
function blocksOut(
  { file, isTaken, blocks, resources }: TerraformImport['wayOut'],
  detail: Detail,
): readonly Block[] {
  if (resources.length === 0) {
    return [];
  }
  const many = counted(resources.length, 'block');
  const named = someNames(resources, MOST_NAMED);
  const lines = blocks.split('\n').filter((line) => !line.startsWith('#') && line !== '');
  const isShown = detail === 'each' || (isTaken && resources.length <= MOST_NAMED);
  return [
    paragraph(
      file === null
        ? `There is a removed.tf that no import wrote, so none was written. Put ${many}, for ${named}, into the root module${isShown ? '' : ' (--verbose shows each)'}, and take the resource blocks out in the same commit.`
        : `${file} has ${many}, for ${named}. Put it into the root module, and take the resource blocks out in the same commit.`,
    ),
    ...(isShown ? [{ kind: 'verbatim', language: 'text', lines } as const] : []),
  ];
}
