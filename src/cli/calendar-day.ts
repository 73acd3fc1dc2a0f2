/** A day that the calendar has, `YYYY-MM-DD`. */
export function calendarDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw new Error('expected a day, such as 2026-12-01');
  }
  return text;
}
