/** Gives the values of the `cf-ray` header: one for each answer, counted. */
export function rayIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${count.toString(16).padStart(16, '0')}-EMU`;
  };
}
