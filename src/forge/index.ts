/**
 * GitHub and GitLab behind one port, for `app`: comments, one drift issue, webhooks.
 *
 * Promises: what is there is compared with what should be, so that a lost answer, a deleted comment or a second run leave one result; texts of others
 * are never touched.
 * Never: decides what a text says; `report` does.
 */
export { githubForge } from './github/github-forge.ts';
export { githubRun } from './github/github-run.ts';
export { gitlabForge } from './gitlab/gitlab-forge.ts';
export { gitlabRun } from './gitlab/gitlab-run.ts';
export { markerText } from './marker.ts';
export type { Marker } from './marker.ts';
export {
  commentParts,
  footer,
  issueTitle,
  messageOf,
  pendingNotice,
  titleOf,
  wholeText,
  withNotice,
} from './message.ts';
export type { RenderedReport } from './message.ts';
export { WEBHOOK_SHAPES, sourceBase } from './port.ts';
export type { Forge, ForgeKind, ForgeRun, WebhookShape } from './port.ts';
export { runPage } from './run-page.ts';
export { commentsAbout, settleComments } from './settle-comments.ts';
export { markNotified, settleIssue } from './settle-issue.ts';
export type { IssueChange, WantedIssue } from './settle-issue.ts';
export { runNewsBody, sendWebhook, webhookBody } from './webhook.ts';
export type { RunNews } from './webhook.ts';
