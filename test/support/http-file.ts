/** A request of a `.http` file, with unresolved variables. */
export interface HttpFileRequest {
  /** The text after `###`. */
  readonly title: string;
  /** `# @name`: the name under which later requests refer to the response. */
  readonly name: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface HttpFile {
  /** `@name = value`, anywhere in the file. */
  readonly variables: ReadonlyMap<string, string>;
  readonly requests: readonly HttpFileRequest[];
}

/** Parses the part of the format that VS Code's REST Client and JetBrains' HTTP Client share. */
export function parseHttpFile(text: string): HttpFile {
  const variables = new Map<string, string>();
  const requests: HttpFileRequest[] = [];
  for (const section of text.split(/^###/m)) {
    const [title = '', ...lines] = section.split('\n');
    let name: string | undefined;
    const rest: string[] = [];
    for (const line of lines) {
      const variable = /^@(\w+)\s*=\s*(.*)$/.exec(line);
      const named = /^#\s*@name\s+(\w+)/.exec(line);
      if (variable !== null) variables.set(variable[1] ?? '', variable[2] ?? '');
      else if (named !== null) name = named[1];
      else if (!line.startsWith('#')) rest.push(line);
    }
    const request = requestOf(rest.join('\n').trim());
    if (request !== undefined) requests.push({ title: title.trim(), name, ...request });
  }
  return { variables, requests };
}

function requestOf(text: string): Omit<HttpFileRequest, 'title' | 'name'> | undefined {
  if (text === '') return undefined;
  const [head = '', ...body] = text.split('\n\n');
  const [first = '', ...headerLines] = head.split('\n');
  const [, method = '', url = ''] = /^([A-Z]+) (\S+)$/.exec(first) ?? [];
  const headers = Object.fromEntries(headerLines.map((line) => line.split(/:\s*/, 2) as [string, string]));
  return { method, url, headers, body: body.length === 0 ? undefined : body.join('\n\n') };
}

/**
 * Resolves `{{variables}}` from the given values, variables of the file, days and responses of named requests.
 * @throws {Error}
 */
export function fillVariables(
  text: string,
  from: {
    readonly given: Readonly<Record<string, string>>;
    readonly variables: ReadonlyMap<string, string>;
    readonly responses: ReadonlyMap<string, unknown>;
    readonly day: (later: number) => string;
  },
): string {
  return text.replace(/\{\{\s*(.+?)\s*\}\}/g, (whole, inner: string) => {
    const day = /^\$datetime 'YYYY-MM-DD'(?: (\d+) d)?$/.exec(inner);
    if (day !== null) return from.day(Number(day[1] ?? 0));
    const responsePath = /^(\w+)\.response\.body\.\$\.(.+)$/.exec(inner);
    if (responsePath !== null) {
      const path = (responsePath[2] ?? '').split(/[.[\]]+/).filter((part) => part !== '');
      const found = path.reduce<unknown>(
        (value, part) => (value as Record<string, unknown> | undefined)?.[part],
        from.responses.get(responsePath[1] ?? ''),
      );
      if (typeof found !== 'string' && typeof found !== 'number') throw new Error(`${whole} is not in the response`);
      return String(found);
    }
    const value = from.given[inner] ?? from.variables.get(inner);
    if (value === undefined) throw new Error(`${whole} is not defined`);
    return fillVariables(value, from);
  });
}
