/**
 * Reads what other tools hold, for `app`: the states and plans of Terraform and OpenTofu, with the shapes of every version of the provider; the
 * configuration and the files of octorules.
 *
 * Promises: pure; what is read is bounded and checked, since it comes from elsewhere; what cannot be read is named with its address and the reason.
 * Never: asks the service, or decides what a file says.
 */
export { readOctorulesConfig } from './octorules/octorules-config.ts';
export type { OctorulesZone } from './octorules/octorules-config.ts';
export { readOctorulesFile } from './octorules/octorules-file.ts';
export { addressSteps } from './terraform/address.ts';
export type { StatedAddress } from './terraform/address.ts';
export { configurationBlocks } from './terraform/configuration-blocks.ts';
export type {
  ConfigurationBlocks,
  ConfigurationFile,
  ModuleCall,
  ResourceBlock,
} from './terraform/configuration-blocks.ts';
export { commentsOfRules } from './terraform/configuration-comments.ts';
export type { ConfiguredValue, LiteralLocal } from './terraform/configuration-values.ts';
export { secretsOfRule } from './terraform/marked-texts.ts';
export { readState } from './terraform/read-state.ts';
export type { TerraformState } from './terraform/read-state.ts';
export { withoutUnset } from './terraform/rule-shape.ts';
export type { StatedList } from './terraform/list-resources.ts';
export type { StatedSetting, StatedSettings } from './terraform/setting-resources.ts';
export { IMPORTED_TYPES, readResources } from './terraform/stated-resources.ts';
export type { LeftInSource, StatedResources } from './terraform/stated-resources.ts';
export type { StatedRule, StatedRuleset } from './terraform/stated-rulesets.ts';
export { REMOVED_HEAD, wayOut } from './terraform/way-out.ts';
