import type { ScenarioService } from './scenario-service.ts';

interface Rule {
  readonly id: string;
  readonly ref: string;
}

/**
 * A change past Rulewright, as in the dashboard: `edit SCOPE/PHASE REF` with the fields to change,
 * `remove SCOPE/PHASE REF`, or `add SCOPE/PHASE REF` with the rule. `SCOPE/PHASE/NAME` is a custom ruleset.
 */
export async function actInDashboard(
  service: ScenarioService,
  act: { readonly name: string; readonly argument: string; readonly body: string },
): Promise<void> {
  const [place = '', ref = ''] = act.argument.split(' ');
  const [zone = '', phase = '', name] = place.split('/');
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(service.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    }
    return response.status === 204 ? null : ((await response.json()) as { result: unknown }).result;
  };
  const customId = async (called: string): Promise<string> => {
    const all = (await call('GET', base)) as { id: string; name: string }[];
    return all.find((one) => one.name === called)?.id ?? called;
  };
  const [found] = (await call('GET', `/zones?name=${zone}`)) as { id: string }[];
  const base = `/zones/${found?.id}/rulesets`;
  const path = name === undefined ? `phases/${phase}/entrypoint` : await customId(name);
  const ruleset = (await call('GET', `${base}/${path}`)) as { id: string; rules: Rule[] };
  if (act.name === 'add') {
    await call('POST', `${base}/${ruleset.id}/rules`, { ref, ...(JSON.parse(act.body) as object) });
    service.taken();
    return;
  }
  const rule = ruleset.rules.find((candidate) => candidate.ref === ref);
  if (rule === undefined) {
    throw new Error(`${place} has no rule ${ref}`);
  }
  const rulePath = `${base}/${ruleset.id}/rules/${rule.id}`;
  if (act.name === 'remove') {
    await call('DELETE', rulePath);
  } else {
    const { version: _version, last_updated: _updated, ...content } = { ...rule } as Record<string, unknown>;
    await call('PATCH', rulePath, { ...content, ...(JSON.parse(act.body) as object) });
  }
  service.taken();
}
