import type { FunctionBuilder } from './function.ts';

/** Whether the request carries the token of a configuration; asks the host. */
export const isJwtPresent: FunctionBuilder = ({ context }) => askHost(context.isJwtPresent);

/** Whether the request carries a valid token of a configuration; asks the host. */
export const isJwtValid: FunctionBuilder = ({ context }) => askHost(context.isJwtValid);

function askHost(ask: ((configuration: string) => boolean) | undefined): ReturnType<FunctionBuilder> {
  return {
    ok: true,
    apply: ([configuration]) => typeof configuration === 'string' && ask !== undefined && ask(configuration),
  };
}
