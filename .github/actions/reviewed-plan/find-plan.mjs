// Finds the plan that was reviewed with a pull request and fetches the artifact that holds it.
//
// The workflow that plans has to have made it, for the head of the pull request and a branch of this repository: a run for a fork executes
// the fork's own workflow, and what it uploads was reviewed by nobody. It has to have been made for this pull request and the branch that it
// was merged into: another one with the same head has other files and other guards. And it has to have been there when the pull request was
// merged. What was made later is taken only if somebody asks for it by hand.
import { execFileSync } from 'node:child_process';
import { appendFileSync, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const {
  GITHUB_API_URL: api,
  GITHUB_REPOSITORY: repository,
  GITHUB_SHA: sha,
  GITHUB_REF_TYPE: kind,
  GITHUB_REF_NAME: branch,
  GITHUB_EVENT_NAME: event,
  GITHUB_TRIGGERING_ACTOR: actor,
  GITHUB_OUTPUT: outputs,
  GITHUB_STEP_SUMMARY: summary,
  GH_TOKEN: token,
  RW_ARTIFACT: artifact,
  RW_WORKFLOW: workflow,
  RW_PULL_REQUEST: wanted,
  RW_PLAN_AFTER_MERGE: later,
  RW_REVIEWED: folder,
} = process.env;
const askedForLater = later === 'true' && event === 'workflow_dispatch';

/** A line for the run's page, and an exit code: that of refusals by default. */
function stop(title, message, code = 3) {
  console.error(`::error title=${title}::${message}`);
  process.exit(code);
}

/** What GitHub answers; null where it knows of no such thing. */
async function ask(path) {
  // Where it leads to another server, fetch leaves the token out.
  const response = await fetch(`${api}/repos/${repository}/${path}`, {
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': '2022-11-28',
    },
  });
  if (response.status === 404) {
    return null;
  }
  if (!response.ok) {
    stop('GitHub cannot be asked', `GET ${path} answered ${response.status}`, 1);
  }
  return response;
}

async function get(path) {
  const response = await ask(path);
  return response === null ? null : response.json();
}

// Merged into another branch it was reviewed by the rules of that one, which may have none.
const isMergedHere = ({ merged_at: merged, base }) =>
  merged !== null && (kind !== 'branch' || base.ref === branch);

async function pullRequest() {
  if (wanted === '') {
    const pulls = (await get(`commits/${sha}/pulls?per_page=100`)) ?? [];
    return (
      pulls.find(isMergedHere) ??
      stop(
        'Nothing was reviewed',
        `No merged pull request brought ${sha} to ${branch}. Nothing is applied: open a pull request, or apply by hand`,
      )
    );
  }
  if (!/^\d+$/.test(wanted)) {
    stop('Wrong input', 'The input pull-request is a number', 64);
  }
  const pull = await get(`pulls/${wanted}`);
  return pull !== null && isMergedHere(pull)
    ? pull
    : stop(
        'Nothing was reviewed',
        `Pull request ${wanted} was not merged into ${branch}. Nothing is applied`,
      );
}

/** What the planning workflow left for a commit, of all runs and all their attempts that are kept. */
async function plansFor(head) {
  const query = `head_sha=${head}&event=pull_request&per_page=100`;
  const answer = await get(`actions/workflows/${encodeURIComponent(workflow)}/runs?${query}`);
  if (answer === null) {
    stop(
      'No reviewed plan',
      `There is no workflow ${workflow}: name the one that plans by the input workflow`,
    );
  }
  const runs = answer.workflow_runs.filter(
    (run) =>
      run.head_sha === head && run.event === 'pull_request' && run.head_repository?.id === run.repository.id,
  );
  const lists = await Promise.all(
    runs.map(({ id }) =>
      get(`actions/runs/${id}/artifacts?name=${encodeURIComponent(artifact)}&per_page=100`),
    ),
  );
  return lists
    .flatMap((list) => list?.artifacts ?? [])
    .filter(({ name, expired }) => name === artifact && !expired)
    .toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at) || other.id - one.id);
}

/** Fetches an artifact into the folder; false if it is gone. By its number: a run that was started again has several of the same name. */
async function fetchArtifact({ id }) {
  const zip = await ask(`actions/artifacts/${id}/zip`);
  if (zip !== null) {
    await pipeline(zip.body, createWriteStream(archive));
  }
  return zip !== null;
}

/** What the fetched artifact was made for. GitHub no longer says so of a run once the pull request is merged; null if it does not say. */
function madeFor() {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'];
    return JSON.parse(
      execFileSync('unzip', ['-p', archive, 'pull-request.json'], { encoding: 'utf8', stdio }),
    );
  } catch {
    return null;
  }
}

/** The newest of these artifacts that was made for this pull request, its head and its base; that one stays in the folder. */
async function newestFor(candidates) {
  for (const candidate of candidates) {
    const origin = (await fetchArtifact(candidate)) ? madeFor() : null;
    if (
      origin?.number === pull.number &&
      origin.head?.sha === pull.head.sha &&
      origin.base?.ref === pull.base.ref
    ) {
      return candidate;
    }
  }
  return undefined;
}

const archive = join(folder, 'artifact.zip');
const pull = await pullRequest();
const merged = pull.merged_at;
const wasThere = ({ created_at: created }) => Date.parse(created) < Date.parse(merged);
const plans = await plansFor(pull.head.sha);
const candidates = askedForLater ? plans : plans.filter(wasThere);
const plan = await newestFor(candidates);
if (plans.length === 0) {
  stop(
    'No reviewed plan',
    `${workflow} has no artifact ${artifact} for ${pull.head.sha}, the head of pull request ${pull.number}. Run its plan again and read it; then start this workflow by hand with plan-after-merge`,
  );
}
if (candidates.length === 0) {
  stop(
    'No reviewed plan',
    `The plan of pull request ${pull.number} was made ${plans[0].created_at}, after it was merged ${merged}: nobody reviewed it with the pull request. Read it; to apply it, start this workflow by hand with plan-after-merge`,
  );
}
if (plan === undefined) {
  stop(
    'No reviewed plan',
    `None of the plans for ${pull.head.sha} was made for pull request ${pull.number} into ${pull.base.ref}: they belong to another pull request with the same head, or to the branch that it was to be merged into before. Nothing is applied: open a pull request that changes these scopes, and read its plan`,
  );
}
if (wasThere(plan)) {
  console.log(
    `The plan of pull request ${pull.number}, made ${plan.created_at}, before it was merged ${merged}`,
  );
} else {
  const told = `The plan of pull request ${pull.number} was made ${plan.created_at}, after it was merged ${merged}: it was not reviewed with the pull request. ${actor} asked for it`;
  console.error(`::warning title=Plan made after the merge::${told}`);
  appendFileSync(summary, `> [!WARNING]\n> ${told}.\n\n`);
}
// What the files said before, for an apply of the scopes that changed since.
appendFileSync(outputs, `base=${pull.base.sha}\n`);
