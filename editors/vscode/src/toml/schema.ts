/** The part of JSON Schema that the schema of the settings uses. */
export interface Schema {
  readonly $ref?: string;
  /** Of several, the first is what most write. */
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  /** The words of Taplo and Even Better TOML for what they show beside each value. */
  readonly "x-taplo"?: { readonly docs: { readonly enumValues: readonly string[] }; readonly links: { readonly enumValues: readonly string[] } };
  readonly anyOf?: readonly Schema[];
  readonly properties?: Record<string, Schema>;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly definitions?: { readonly Rule: Schema };
}

/** A value that a setting can have, as TOML; rules have titles and pages. */
export interface Value {
  readonly text: string;
  readonly title?: string | undefined;
  readonly page?: string | undefined;
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
    const rules = this.choices(table?.propertyNames).map(({ text, title }): [string, Schema] => [text, { ...(table?.additionalProperties as Schema), description: title ?? "" }]);
    return [...Object.entries(table?.properties ?? {}), ...rules];
  }

  /** The values that a setting can have; those of a list are the values of its items. */
  values(path: readonly string[]): Value[] {
    const found = this.at(path);
    const one = found?.type === "array" ? found.items : found;
    return one?.type === "boolean" ? [{ text: "true" }, { text: "false" }] : this.choices(one).map((each) => ({ ...each, text: JSON.stringify(each.text) }));
  }

  private choices(schema: Schema | undefined): readonly Value[] {
    // the one thing that is defined apart
    const found = schema?.$ref === undefined ? schema : this.root.definitions?.Rule;
    const shown = found?.["x-taplo"];
    const values = found?.enum?.map((text, at) => ({ text, title: shown?.docs.enumValues[at], page: shown?.links.enumValues[at] }));
    return values ?? found?.anyOf?.flatMap((each) => this.choices(each)) ?? [];
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
