/** One of the emulator's own endpoints, below `/_emulator`. */
export interface ControlEndpoint {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly does: string;
}

/** All control endpoints; a test calls each. */
export const controlEndpoints: readonly ControlEndpoint[] = [
  { method: 'GET', path: '/', does: 'This page; as JSON with Accept: application/json.' },
  { method: 'GET', path: '/requests', does: 'The requests answered so far, oldest first.' },
  { method: 'DELETE', path: '/requests', does: 'Forgets them.' },
  {
    method: 'POST',
    path: '/reset',
    does: 'Back to the start: seed, switches and faults; requests and budget emptied. The clock stays.',
  },
  { method: 'POST', path: '/snapshot', body: '{"name": "a"}', does: 'Saves the state under a name.' },
  { method: 'POST', path: '/restore', body: '{"name": "a"}', does: 'Restores a saved state.' },
  { method: 'GET', path: '/snapshots', does: 'The names of the saved states.' },
  { method: 'GET', path: '/clock', does: 'The service’s time.' },
  {
    method: 'PUT',
    path: '/clock',
    body: '{"advance_seconds": 60}',
    does: 'Advances the time, or sets it with {"now": "2026-06-01T00:00:00Z"}.',
  },
  { method: 'GET', path: '/switches', does: 'How the service behaves where its versions differ.' },
  { method: 'PUT', path: '/switches', body: '{"dryRun": "ignored"}', does: 'Changes switches.' },
  { method: 'GET', path: '/faults', does: 'The faults that are set, with counters.' },
  {
    method: 'POST',
    path: '/faults',
    body: '{"method": "PUT", "nth": 1, "effect": {"kind": "cut", "moment": "after"}}',
    does: 'Adds a fault, a list of faults, or {"faults": [...]}.',
  },
  { method: 'DELETE', path: '/faults', does: 'Removes all faults; /faults/<name> removes one.' },
  { method: 'GET', path: '/faults/log', does: 'Every fault that was injected.' },
  { method: 'DELETE', path: '/faults/log', does: 'Forgets them.' },
  {
    method: 'GET',
    path: '/waf-migration/<zone>',
    does: 'Where the WAF migration of a zone (name or id) stands, and what blocks it.',
  },
  {
    method: 'POST',
    path: '/waf-migration/<zone>/deploy',
    does: 'Starts the migration as in the dashboard; /turn-off ends the validation mode.',
  },
  {
    method: 'PUT',
    path: '/zones/<zone>/firewall',
    body: '{"rules": "two_lists"}',
    does: 'How the old firewall interfaces of one zone behave.',
  },
];
