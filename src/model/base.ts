/** What a step was made from; apply refuses when it moved. */
export type Base =
  | { readonly kind: 'version'; readonly id: string; readonly version: string; readonly lastUpdated: string }
  | { readonly kind: 'absent' };
