import { Hono } from 'hono';

import type { FaultState } from '../faults/faults.ts';
import { readFaults } from '../faults/read-faults.ts';
import type { Service } from '../call/service.ts';

/** Makes the routes of `/_emulator/faults`: the faults to inject, and the log of those that struck. */
export function faultControl(service: Service): Hono {
  const control = new Hono();
  const { faults } = service;

  control.get('/', (c) => c.json(faults.all().map(showFault)));
  control.post('/', async (c) => {
    const read = readFaults(await c.req.json().catch(() => undefined));
    if (read.kind === 'problems') {
      return c.json({ error: read.problems.join('; '), problems: read.problems }, 400);
    }
    faults.add(read.faults);
    return c.json(read.faults.map(({ name }) => name));
  });
  control.delete('/', (c) => {
    faults.remove();
    return c.json({ done: true });
  });

  control.get('/log', (c) => c.json(faults.log));
  control.delete('/log', (c) => {
    faults.log.length = 0;
    return c.json({ done: true });
  });

  control.delete('/:name', (c) => {
    const name = c.req.param('name');
    if (!faults.all().some(({ fault }) => fault.name === name)) {
      return c.json({ error: `no fault is called ${name}` }, 404);
    }
    faults.remove(name);
    return c.json({ done: true });
  });
  return control;
}

function showFault({ fault, matched, struck }: FaultState): unknown {
  const { name, when, effect } = fault;
  return { name, ...when, effect, matched, struck };
}
