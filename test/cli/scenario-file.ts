/** A section of a scenario file: `===== NAME ARGUMENT`, and the text up to the next one. */
export interface Section {
  readonly name: string;
  readonly argument: string;
  readonly body: string;
}

/** A parsed scenario file: its title lines and its sections. */
export interface ScenarioFile {
  readonly title: string;
  readonly sections: readonly Section[];
}

const HEAD = /^===== ([a-z]+)(?: (.*))?$/;

/** Cuts a scenario file into its sections. */
export function parseScenario(text: string): ScenarioFile {
  const sections: { name: string; argument: string; body: string }[] = [];
  let title = '';
  for (const line of text.split('\n').slice(0, -1)) {
    const head = HEAD.exec(line);
    const last = sections.at(-1);
    if (head !== null) {
      sections.push({ name: head[1] ?? '', argument: head[2] ?? '', body: '' });
    } else if (last === undefined) {
      title += `${line}\n`;
    } else {
      last.body += `${line}\n`;
    }
  }
  return { title, sections };
}

/** The text of a scenario file. */
export function formatScenario({ title, sections }: ScenarioFile): string {
  const texts = sections.map(
    ({ name, argument, body }) => `===== ${name}${argument === '' ? '' : ` ${argument}`}\n${body}`,
  );
  return title + texts.join('');
}
