/**
 * Files to desired state, and back, for `app`: YAML with positions, packs and variables filled in, schema, checks, lint, formatting, edits in place.
 *
 * Promises: all findings of all files in one run, each with file, line, column and a way to mend it; edits keep comments, order and variables; what a file
 * costs is bounded by counting.
 * Never: asks the service, or follows a path out of the project.
 */
export { checkList } from './checks/check-list.ts';
export type { KnownList, ListProblem, ListVerdict } from './checks/check-list.ts';
export type { GivenVariables } from './compose/command-line.ts';
export { createComposer } from './compose/composer.ts';
export type { Variable } from './compose/pack.ts';
export { followText } from './compose/follow-text.ts';
export { packsByName, readPack } from './compose/pack.ts';
export { parseTemplate, variablesIn } from './compose/template.ts';
export { fixFile, proposeFixes } from './fix/fix-file.ts';
export { placesOfPacks, rulesOfPack, rulesOfScopeFile } from './fix/rules-to-fix.ts';
export type { RulesToFix } from './fix/rules-to-fix.ts';
export { canonicalExpression } from './format/canonical-expression.ts';
export { formatText } from './format/format-text.ts';
export { readAgain, readOutline } from './read-project.ts';
export type { CurrentProject, EarlyFindings, Project, ProjectOutline } from './read-project.ts';
export { createReadMemory } from './read-memory.ts';
export { cursorAt } from './yaml/yaml-cursor.ts';
export type { YamlCursor } from './yaml/yaml-cursor.ts';
export { locateStretch } from './yaml/locate-stretch.ts';
export { loadLargeProject, loadProject } from './load-project.ts';
export type { LargeLoadResult, LargeProject, LoadOptions, LoadResult } from './load-project.ts';
export { loadTexts } from './load-text.ts';
export type { LoadedText, ProjectAround } from './load-text.ts';
export { PROJECT_FILE, findProject } from './project/find-project.ts';
export type { FoundProject, ProjectQuery } from './project/find-project.ts';
export { openProjectHead, readHead } from './project/project-heads.ts';
export type { HeadReading, ProjectFound, ProjectHeads } from './project/project-heads.ts';
export { guardSettings } from './project/guard-settings.ts';
export { listFiles, realPathInside, wouldList } from './project/list-files.ts';
export { readProjectFile } from './project/project-file.ts';
export type { Settings } from './project/project-settings.ts';
export { heldSource, readSource } from './project/read-source.ts';
export type { ReadSource } from './project/read-source.ts';
export { scopeFilesIn, scopesIn } from './project/scope-file.ts';
export type { DeclaredRule, DeclaredRuleset, ScopeFile } from './project/scope-file.ts';
export { selectFiles } from './project/select-files.ts';
export { readAhead } from './read-files.ts';
export { acceptVariables, bundleSchema } from './schema/bundle-schema.ts';
export { didYouMean, suggestedWord } from './schema/suggest.ts';
export { DIAGNOSTIC_CODES, finding } from './source/finding.ts';
export { applyEdits, sourceText, withBreaksOf } from './source/source-text.ts';
export type { SourceText, TextEdit } from './source/source-text.ts';
export { USUAL_TESTS, listTestFiles, readTestFiles } from './tests/read-test-files.ts';
export type { ReadTestFiles, TestFile } from './tests/read-test-files.ts';
export { addPatterns, addRuleset } from './write/add-ruleset.ts';
export type { AddedRuleset } from './write/add-ruleset.ts';
export { addSensitive, addVariables } from './write/add-variables.ts';
export type { ProjectVariable, SecretVariable } from './write/add-variables.ts';
export { unknownFields, withoutCommon } from './write/common-notes.ts';
export type { ItemEdit, RulesetEdit } from './write/desired-file.ts';
export { declaredSettings } from './settings/declared-settings.ts';
export { settingsValue } from './settings/settings-value.ts';
export {
  editedItemsFile,
  followItems,
  itemsIn,
  itemsText,
  listItemValue,
  soundItems,
} from './lists/edit-items-file.ts';
export { desiredYaml } from './write/desired-yaml.ts';
export { lostComments, refreshComments } from './write/edit-comments.ts';
export { editedMembers, editedRulesets } from './write/edit-file.ts';
export { dropEnded } from './write/drop-ended.ts';
export type { EndedEntry } from './write/drop-ended.ts';
export { leftOutFoot, withLeftOut } from './write/left-out.ts';
export {
  LIVE_ONLY,
  newName,
  ruleDocument,
  rulesetDocument,
  rulesetYaml,
  under,
  unreadExpressions,
} from './write/ruleset-yaml.ts';
export { documentText } from './write/scope-text.ts';
export type { FileNote } from './write/scope-text.ts';
export { shownTexts } from './write/shown-texts.ts';
export { parseOnce, parseYaml } from './yaml/parse-yaml.ts';
export { commentsAbove, includedPath, parseOctorulesYaml } from './yaml/octorules-yaml.ts';
export { MARKER, isPermittable } from './yaml/suppression-comments.ts';
export { locateKey, locateValue, pathKey, valueAt, withValueAt } from './yaml/yaml-document.ts';
export type { ValuePath, YamlDocument } from './yaml/yaml-document.ts';
