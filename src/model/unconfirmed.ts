/** Why a plan was not confirmed: no terminal to ask on and no `--yes`, or the answer was no. */
export type Unconfirmed = 'no-terminal' | 'declined';
