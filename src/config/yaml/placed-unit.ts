/** A character of a scalar's value, and where it stands in the source. */
export interface PlacedUnit {
  /** One UTF-16 unit of the value. */
  readonly unit: string;
  /** Offset in the source of the first character that stands for it. */
  readonly start: number;
  /** Offset in the source behind the last character that stands for it. */
  readonly end: number;
}
