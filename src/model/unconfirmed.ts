/** Why a plan was not confirmed: no terminal to ask on and no `--yes`, the answer was no, or the question was interrupted. */
export type Unconfirmed = 'no-terminal' | 'declined' | 'interrupted';
