import type { ChangeAuthors, AuthorsOfChange } from '../../model/index.ts';

/** A mail address anywhere in a name. */
const MAIL = /([^\s@<>"'(),;:]+)@([^\s@<>"'(),;:]+)/gu;

/** Returns authors whose mail addresses are shortened: the first two letters of the name, and the domain. */
export function shortenMails(authors: ChangeAuthors): ChangeAuthors {
  return new Map([...authors].map(([key, authorship]) => [key, shortened(authorship)]));
}

function shortened({ changed_by, ...rest }: AuthorsOfChange): AuthorsOfChange {
  return {
    changed_by: changed_by.map((one) => ({
      ...one,
      actor: { ...one.actor, name: shortMail(one.actor.name) },
      ...(one.claims === undefined ? {} : { claims: shortMail(one.claims) }),
    })),
    ...rest,
  };
}

function shortMail(name: string): string {
  return name.replaceAll(MAIL, (_, local: string, domain: string) => {
    const letters = Array.from(local);
    return `${letters.slice(0, letters.length > 2 ? 2 : 1).join('')}…@${domain}`;
  });
}
