/** Asks once for each key, and gives the same answer from then on. */
export function askedOnce<Key, Answer>(ask: (key: Key) => Answer): (key: Key) => Answer {
  const answers = new Map<Key, { readonly answer: Answer }>();
  return (key) => {
    const known = answers.get(key) ?? { answer: ask(key) };
    answers.set(key, known);
    return known.answer;
  };
}
