// Renderings of large plans: time, size, and how many elements a browser has to hold.
import { planPage, planText } from '../test/report/printed.ts';
import { joinPieces } from '../src/report/pieces.ts';
import { largePlan } from '../test/report/html/pages.ts';
import { medianTime, printTable, round } from './table.ts';

const rows: Record<string, string | number>[] = [];
for (const changes of [200, 2_000, 20_000]) {
  const plan = largePlan(changes);
  const page = joinPieces(planPage(plan));
  rows.push({
    changes,
    'text ms': round(await medianTime(3, () => planText(plan, { width: 80, colour: false }))),
    'page ms': round(await medianTime(3, () => joinPieces(planPage(plan)))),
    'page kB': Math.round(page.length / 1024),
    elements: page.match(/<[a-z]/g)?.length ?? 0,
  });
}
printTable('Renderings of a plan', rows);
