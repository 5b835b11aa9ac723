import { signal } from '@preact/signals';
import { Icon, type IconName } from '../components/icon.tsx';
import { openClaimsIn, work } from '../home/work.ts';
import { hrefOf, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { groupsOf, viewTitle } from './views.ts';

/** Whether the sidebar is open on a phone, where it is a menu. */
export const isMenuOpen = signal(false);

/** Links to what the role may read. */
export function Sidebar({ session }: { readonly session: Session }) {
  return (
    <aside class={isMenuOpen.value ? 'side open' : 'side'} id="menu">
      <a class="brand" href={hrefOf([])}>
        <Icon name="policy" /> {texts.surety}
      </a>
      <nav class="stack" aria-label={texts.views}>
        {groupsOf(session).map(({ title, items }) => (
          <div key={title}>
            {title !== undefined && <h2 class="nav-title small quiet">{title}</h2>}
            <ul class="nav">
              {items.map(({ name, icon }) => (
                <SidebarLink key={name} name={name} icon={icon} />
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </aside>
  );
}

function SidebarLink({ name, icon }: { readonly name: string; readonly icon: IconName }) {
  const [current = ''] = route.value.path;
  const count = countOf(name);
  return (
    <li>
      <a
        href={hrefOf(name === '' ? [] : [name])}
        aria-current={current === name ? 'page' : undefined}
        onClick={() => (isMenuOpen.value = false)}
      >
        <Icon name={icon} />
        {viewTitle(name)}
        {count !== undefined && count > 0 && <span class="count">{count}</span>}
      </a>
    </li>
  );
}

/** Returns how much waits in a list. */
function countOf(name: string): number | undefined {
  const counts = work.value;
  if (counts === undefined) return undefined;
  if (name === 'claims') return openClaimsIn(counts);
  if (name === 'renewals') return counts.renewals_due;
  if (name === 'parked') return counts.parked_documents;
  return name === 'mails' ? counts.parked_mails : undefined;
}
