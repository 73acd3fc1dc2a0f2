// Prints the number of the run that made the plan which was reviewed with the pull request that brought this commit.
//
// It has to be a run for the head of that pull request and for a branch of this repository: a run for a fork executes
// the fork's own workflow, and what it uploads was reviewed by nobody.
const {
  GITHUB_API_URL: api,
  GITHUB_REPOSITORY: repository,
  GITHUB_SHA: sha,
  GITHUB_REF_TYPE: kind,
  GITHUB_REF_NAME: name,
  GH_TOKEN: token,
  RW_ARTIFACT: artifact,
} = process.env;

/** A refusal: a line for the run's page, and the exit code of refusals. */
function refuse(title, message) {
  console.error(`::error title=${title}::${message}`);
  process.exit(3);
}

async function get(path) {
  const response = await fetch(`${api}/repos/${repository}/${path}`, {
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token}`,
      'x-github-api-version': '2022-11-28',
    },
  });
  if (!response.ok) {
    console.error(`::error title=GitHub cannot be asked::GET ${path} answered ${response.status}`);
    process.exit(1);
  }
  return response.json();
}

const pulls = await get(`commits/${sha}/pulls?per_page=100`);
// Merged into another branch it was reviewed by the rules of that one, which may have none.
const pull = pulls.find(
  ({ merged_at: merged, base }) => merged !== null && (kind !== 'branch' || base.ref === name),
);
if (pull === undefined) {
  refuse(
    'Nothing was reviewed',
    `No merged pull request brought ${sha} to ${name}. Nothing is applied: open a pull request, or apply by hand`,
  );
}

const head = pull.head.sha;
for (let page = 1; ; page += 1) {
  const { artifacts } = await get(
    `actions/artifacts?name=${encodeURIComponent(artifact)}&per_page=100&page=${page}`,
  );
  // Newest first: a plan that was made again stands before the one that it took the place of.
  const found = artifacts.find(
    ({ expired, workflow_run: run }) =>
      !expired && run?.head_sha === head && run.head_repository_id === run.repository_id,
  );
  if (found !== undefined) {
    console.log(String(found.workflow_run.id));
    break;
  }
  if (artifacts.length < 100) {
    refuse(
      'No reviewed plan',
      `Among the artifacts is no ${artifact} for ${head}, the head of pull request ${pull.number}. Run its plan again, have it reviewed, and run this again`,
    );
  }
}
