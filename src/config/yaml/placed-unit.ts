/** A character of a scalar's value and where it stands in the text. */
export interface PlacedUnit {
  /** One UTF-16 unit of the value. */
  readonly unit: string;
  /** Offset in the source of the first character that makes it. */
  readonly start: number;
  /** Offset in the source behind the last character that makes it. */
  readonly end: number;
}
