/** Why nobody agreed to a plan: there was no terminal to ask on and no `--yes`, the answer was no, or the question was interrupted. */
export type Unconfirmed = 'no-terminal' | 'declined' | 'interrupted';
