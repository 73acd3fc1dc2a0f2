import type { UseCase, ZoneChoice } from '../app/index.ts';
import type { ScopeRef } from '../model/index.ts';
import type { Block, Document } from '../report/index.ts';
import { inTurn } from '../report/index.ts';
import type { CliContext, ExitCode, LiveFlags, AnyFlags } from '../cli/index.ts';
import { EXIT, startProgress, tell, tellDocument, writeResult, startGuarded } from '../cli/index.ts';
import { isOutsideProject } from '../app/index.ts';
import type { Conversion, ConversionFile } from './conversion.ts';
import { yamlSection } from './conversion-report.ts';
import { claimOf, writeConverted } from './converted-file.ts';
import type { ConvertedZone } from './converted-file.ts';
import type { ZoneFileFlags } from './legacy-flags.ts';

/** Reports that a zone file was written where no pattern of the project finds it, so that plan and apply do not see it. */
export async function tellOutsideProject(
  context: CliContext,
  flags: Pick<AnyFlags, 'config' | 'quiet'>,
  path: string,
): Promise<void> {
  if (await isOutsideProject(path, { cwd: context.cwd, config: flags.config })) {
    tell(
      context,
      flags,
      `${path} is not a file of the project: name it in \`files\` of rulewright.yaml, or plan and apply do not see it`,
    );
  }
}

/** One kind of old objects that become rules of some phases: how to convert, describe and name them in JSON. */
export interface ConversionKind<Made extends Conversion<{ readonly kind: string }>> {
  readonly phases: readonly string[];
  readonly convert: UseCase<ZoneChoice, ConvertedZone<Made>>;
  readonly document: (report: Made & ConversionFile) => Document;
  readonly kind: string;
}

/** The command line of a conversion. */
interface ConversionCommand {
  readonly context: CliContext;
  readonly flags: LiveFlags & ZoneFileFlags;
  readonly zone: ScopeRef;
}

/** Converts old objects of a zone; writes a file or prints the YAML, and reports what became of each. */
export async function runConversion<Made extends Conversion<{ readonly kind: string }>>(
  { context, flags, zone }: ConversionCommand,
  { phases, convert, document, kind }: ConversionKind<Made>,
): Promise<ExitCode> {
  const begun = await startGuarded(context, flags);
  if (begun.kind === 'ended') {
    return begun.code;
  }
  const { options, guards } = begun;
  const { scopes } = guards;
  const { report: made, added } = await startProgress(context, flags, (report) =>
    convert({ zone, guards }, options, report),
  );
  const { scope, yaml, result, equivalence } = made;
  const { out, config } = flags;
  if (out !== undefined && yaml !== null && added.length > 0) {
    await writeConverted({ cwd: context.cwd, path: out, config, scopes }, scope, { yaml, added });
  }
  const file = yaml === null ? null : (out ?? null);
  const report = { ...made, file, claim: claimOf(scopes, scope, phases) };
  const told = document(report);
  const rules = file === null && yaml !== null ? yaml : null;
  if (flags.format === 'text' && rules !== null && flags.quiet !== true) {
    tellDocument(context, flags, told);
  }
  await writeResult(context, flags, {
    document: () =>
      rules === null ? told : { ...told, body: inTurn<Block>(told.body, [yamlSection(rules)]) },
    ...(rules === null ? {} : { text: () => rules }),
    json: () => ({ kind, formatVersion: 1, ...report }),
  });
  if (file !== null) {
    await tellOutsideProject(context, flags, file);
  }
  if (result.kind === 'refused') {
    return EXIT.refused;
  }
  return equivalence !== null && equivalence.differences.length > 0 ? EXIT.differences : EXIT.done;
}
