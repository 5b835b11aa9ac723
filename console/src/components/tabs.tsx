import { hrefOf, route } from '../route.ts';
import { texts } from '../texts.ts';

interface TabsProps {
  /** Parameter of the address. */
  readonly name?: string;
  /** Name in the address, title, and how much it has, where that is known. */
  readonly parts: readonly (readonly [name: string, title: string, count: number | undefined])[];
  readonly part: string;
}

/** The parts of a page, of which one is shown. */
export function Tabs({ name: parameter = 'part', parts, part }: TabsProps) {
  const { path, query } = route.value;
  return (
    <nav class="tabs" aria-label={texts.parts}>
      {parts.map(([name, title, count]) => (
        <a
          key={name}
          href={hrefOf(path, { ...query, [parameter]: name })}
          aria-current={name === part ? 'page' : undefined}
        >
          {title}
          {count !== undefined && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
