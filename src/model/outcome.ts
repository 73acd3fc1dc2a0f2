/** What happened to a step. */
export type Outcome =
  | { readonly kind: 'done'; readonly step: string; readonly version: string | null; readonly writes: number }
  | { readonly kind: 'skipped'; readonly step: string; readonly reason: string }
  | {
      readonly kind: 'refused';
      readonly step: string;
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      /** Writes of this step that did land before it was refused. */
      readonly writes: number;
    }
  | {
      readonly kind: 'failed';
      readonly step: string;
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      /** Writes of this step that did land before it failed. */
      readonly writes: number;
    }
  | {
      readonly kind: 'conflict';
      readonly step: string;
      readonly message: string;
      readonly hint: string;
      readonly writes: number;
    }
  | { readonly kind: 'not-reached'; readonly step: string; readonly reason: string };
