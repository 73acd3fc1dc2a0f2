/** More firewall rules than these are migrated with the vendor's support only (specification 7.5, 8). */
export const MAX_RULES = 200;

/** So are rules with a longer expression, in bytes: 4 KB (specification 7.5, 8). */
export const MAX_EXPRESSION_LENGTH = 4096;
