/** Most firewall rules that are migrated without the vendor's support (specification 7.5, 8). */
export const MAX_RULES = 200;

/** Longest expression, in bytes, of a rule that is migrated without the vendor's support: 4 KB (specification 7.5, 8). */
export const MAX_EXPRESSION_LENGTH = 4096;
