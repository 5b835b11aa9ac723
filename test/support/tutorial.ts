/** A piece of a page that is run: commands, and what the page shows of their output. */
export interface Step {
  /** The heading above it. */
  readonly heading: string;
  readonly commands: string;
  readonly shown: { readonly kind: 'json' | 'text'; readonly text: string } | undefined;
}

/** The blocks ```sh of a page, each with the block ```json or ```text right behind it. Other blocks are not run. */
export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  let heading = '';
  for (const [, title, kind = '', text = ''] of page.matchAll(/^## (.+)$|^```(\w+)\n([\s\S]*?)\n```$/gm)) {
    if (title !== undefined) heading = title;
    else if (kind === 'sh') steps.push({ heading, commands: text, shown: undefined });
    else if (kind === 'json' || kind === 'text') {
      const step = steps.pop();
      if (step === undefined || step.shown !== undefined)
        throw new Error(`nothing gives the output below "${heading}"`);
      steps.push({ ...step, shown: { kind, text } });
    }
  }
  return steps;
}

/** Where the given value is not what is shown; `…` stands for anything, as a member for any further ones. */
export function differences(shown: unknown, given: unknown, path = ''): readonly string[] {
  if (shown === '…') return given === undefined ? [`${path} is not there`] : [];
  if (typeof shown === 'string') {
    return typeof given === 'string' && matches(shown, given) ? [] : [`${path} is ${JSON.stringify(given)}`];
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(given)) return [`${path} is no list`];
    const open = shown.at(-1) === '…';
    const items = open ? shown.slice(0, -1) : shown;
    const fits = open ? given.length >= items.length : given.length === items.length;
    return [
      ...(fits ? [] : [`${path} has ${given.length} items`]),
      ...items.flatMap((item, index) => differences(item, given[index], `${path}/${index}`)),
    ];
  }
  if (typeof shown !== 'object' || shown === null)
    return shown === given ? [] : [`${path} is ${JSON.stringify(given)}`];
  if (typeof given !== 'object' || given === null) return [`${path} is no object`];
  const { '…': open, ...members } = shown as Record<string, unknown>;
  const more = open === undefined ? Object.keys(given).filter((name) => !(name in members)) : [];
  return [
    ...more.map((name) => `${path}/${name} is not shown`),
    ...Object.entries(members).flatMap(([name, member]) =>
      differences(member, (given as Record<string, unknown>)[name], `${path}/${name}`),
    ),
  ];
}

/** Whether a text is what is shown, `…` standing for any text. */
export function matches(shown: string, given: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(given);
}
