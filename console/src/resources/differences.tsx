import { Json } from '../components/values.tsx';
import { labelOf, memberLabel } from '../format.ts';
import { texts } from '../texts.ts';

interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the members whose values differ. Items of lists are compared by their places. */
function differencesOf(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      differencesOf(before[name], after[name], path === '' ? name : `${path} ${memberLabel(name)}`),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Lists how the chosen view differs from the current one. */
export function Differences({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const differences = differencesOf(before, after);
  if (differences.length === 0) return <p class="notice">{texts.sameAsNow}</p>;
  return (
    <details class="notice">
      <summary>{texts.differsFromNow(differences.length)}</summary>
      <ul>
        {differences.map(({ path, before: then, after: now }) => (
          <li key={path}>
            <span class="quiet">{labelOf(path)}</span> <Json value={then} /> → {texts.now} <Json value={now} />
          </li>
        ))}
      </ul>
    </details>
  );
}
