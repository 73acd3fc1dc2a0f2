import type { GuardFinding, SensitiveValue } from '../../model/index.ts';
import type { ApplyAct } from '../../report/index.ts';
import type { AllowedProbeHost } from '../../app/index.ts';
import { readProbeHost } from '../../app/index.ts';
import type { CliContext } from '../context.ts';
import type { FlagsOf } from '../flag.ts';
import { inputFlag, listFlag, switchFlag, valueFlag } from '../flag.ts';
import { GUARD_FLAGS, NOTIFY_FLAGS, RUN_FLAGS } from '../flags.ts';
import { WRITE_FLAGS } from '../write-flags.ts';

/** Flags of `apply`. */
export const APPLY_FLAGS = {
  ...WRITE_FLAGS,
  expect: inputFlag('PLAN.json', 'Apply only what this reviewed plan shows, and allow it'),
  expectDrift: valueFlag(driftDigest, 'DIGEST', 'Apply only if this is the drift that was shown'),
  unmanaged: switchFlag('The drift was shown with --unmanaged'),
  onlyStrengthening: switchFlag('Leave out what weakens or deletes'),
  wave: valueFlag(waveNumber, 'N', 'Only this wave, once all before it are done and well'),
  untilWave: valueFlag(waveNumber, 'N', 'Only the waves up to this one'),
  allowProbeHost: listFlag(probeHost, 'HOST', 'Let probes ask a host that is in none of the zones'),
  ...GUARD_FLAGS,
  ...NOTIFY_FLAGS,
  ...RUN_FLAGS,
};

/** Parses the number of a wave. */
function waveNumber(text: string): number {
  if (!/^\d{1,3}$/u.test(text)) {
    throw new Error('expected the number of a wave, as plan shows it');
  }
  return Number(text);
}

/** Parses a host that probes may ask. */
export function probeHost(text: string): AllowedProbeHost {
  const host = readProbeHost(text);
  if (host === undefined) {
    throw new Error(
      'expected the name or the address of a host, with a port if need be, such as status.example:8443',
    );
  }
  return host;
}

/** Parses the digest that `drift` prints. */
export function driftDigest(text: string): string {
  if (!/^[0-9a-f]{64}$/u.test(text)) {
    throw new Error('expected the digest of a drift, 64 hexadecimal characters, as drift prints it');
  }
  return text;
}

/** The values of `APPLY_FLAGS`. */
export type ApplyFlags = FlagsOf<typeof APPLY_FLAGS>;

/** A command line of apply, as it was typed. */
export interface ApplyCommand {
  readonly context: CliContext;
  readonly flags: ApplyFlags;
  readonly paths: readonly string[];
  /** What the command is called in titles; `apply` by default. */
  readonly act?: ApplyAct | undefined;
}

/** One run of apply. */
export interface ApplyRun extends ApplyCommand {
  /** Path of the saved plan that is carried out; absent where the plan was made from the files. */
  readonly saved?: string | undefined;
  /** Whether an earlier run crashed, so that there is something to report about it. */
  readonly crashed: boolean;
  /** Findings of the guards in the plan that was reviewed; the same findings do not stop this plan. */
  readonly reviewed?: readonly GuardFinding[] | undefined;
  /** The command that does the rest of an incomplete run; by default a command of plan or apply. */
  readonly again?: string | undefined;
  /** Whether the plan was made in this run, or saved by an earlier one. */
  readonly origin: 'fresh' | 'saved';
  /** Values besides the project's sensitive ones that only requests may contain. */
  readonly former?: readonly SensitiveValue[] | undefined;
  /** What live is compared with, for the message that nothing differs; the files by default. */
  readonly against?: string | undefined;
  /** Text about what to do by hand after writes, printed at the end of the result. */
  readonly afterwards?: string | undefined;
}
