/** The part of JSON Schema that the schema of the settings uses. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Record<string, Schema>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/** The schema of the settings. */
export class Settings {
  constructor(private readonly root: Schema) {}

  /** The schema of a setting or table; undefined if there is none. */
  at(path: readonly string[]): Schema | undefined {
    let found: Schema | undefined = this.root;
    for (const name of path) {
      const own: Record<string, Schema> = found?.properties ?? {};
      const other: Schema | boolean | undefined = found?.additionalProperties;
      found = Object.hasOwn(own, name) ? own[name] : typeof other === "object" ? other : undefined;
    }
    return found;
  }

  /** The settings and tables in a table, with their schemas. */
  names(path: readonly string[]): [string, Schema][] {
    const table = this.at(path);
    // the names of rules are given, those of files are a user's own
    return [...Object.entries(table?.properties ?? {}), ...choices(table?.propertyNames).map((name): [string, Schema] => [name, table?.additionalProperties as Schema])];
  }

  /** The paths of all tables. */
  tables(path: readonly string[] = []): string[][] {
    const below = Object.keys(this.at(path)?.properties ?? {}).map((name) => [...path, name]);
    return below.filter((each) => isTable(this.at(each))).flatMap((each) => [each, ...this.tables(each)]);
  }
}

export function isTable(schema: Schema | undefined): boolean {
  return schema?.type === "object";
}

/** The values that a setting can have, as TOML; those of a list are the values of its items. */
export function values(schema: Schema | undefined): string[] {
  const one = schema?.type === "array" ? schema.items : schema;
  return one?.type === "boolean" ? ["true", "false"] : choices(one).map((each) => JSON.stringify(each));
}

function choices(schema: Schema | undefined): readonly string[] {
  return schema?.enum ?? schema?.anyOf?.flatMap(choices) ?? [];
}
