/** A zone by name or id, and the environment variable that holds its token. */
export interface ZoneChoice {
  readonly zone: string;
  readonly tokenEnv?: string | undefined;
}
