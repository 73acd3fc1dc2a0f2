/** Creates a source of values for the `cf-ray` header, which are numbered from 1. */
export function rayIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${count.toString(16).padStart(16, '0')}-EMU`;
  };
}
