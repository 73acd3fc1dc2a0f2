import { Hono } from 'hono';

import { isObject } from '../protocol/json.ts';
import type { Service } from '../call/service.ts';
import { switchValues } from '../environment/switches.ts';
import type { Switches } from '../environment/switches.ts';

/** Makes the routes of `/_emulator/switches`: behaviour that differs between versions of the service. */
export function switchControl(service: Service): Hono {
  const control = new Hono();
  control.get('/', (c) => c.json(service.switches));
  control.put('/', async (c) => {
    const wish: unknown = await c.req.json().catch(() => undefined);
    if (!isPartOfSwitches(wish)) {
      return c.json({ error: problemsOf(wish).join('; ') }, 400);
    }
    service.setSwitches(wish);
    return c.json(service.switches);
  });
  return control;
}

function problemsOf(wish: unknown): readonly string[] {
  if (!isObject(wish)) {
    return ['expected an object of switches and their values'];
  }
  return Object.entries(wish).flatMap(([name, value]) => {
    const values = valuesOf(name);
    if (values === undefined) {
      return [`no switch is called ${name}; there are ${Object.keys(switchValues).join(', ')}`];
    }
    return values.some((each) => each === value) ? [] : [`${name} must be one of ${values.join(', ')}`];
  });
}

function isPartOfSwitches(wish: unknown): wish is Partial<Switches> {
  return problemsOf(wish).length === 0;
}

function valuesOf(name: string): readonly string[] | undefined {
  return Object.entries(switchValues).find(([each]) => each === name)?.[1];
}
