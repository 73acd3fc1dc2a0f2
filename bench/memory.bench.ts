// Peak memory of planning: `plan` in a process of its own, against a service in another that answers for zones of a
// hundred rules, a tenth of them changed. The files are read, live state is read zone by zone, the plan is made.
import { spawn, spawnSync } from 'node:child_process';
