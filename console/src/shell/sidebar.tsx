import { signal } from '@preact/signals';
import { Icon, type IconName } from '../components/icon.tsx';
import { work } from '../home/work.ts';
import { hrefOf, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { groupsOf, viewTitle } from './views.ts';

/** Whether the sidebar is open on a phone, where it is a menu. */
export const isMenuOpen = signal(false);

/** Links to what the role may read. */
export function Sidebar({ session }: { readonly session: Session }) {
  const [current = ''] = route.value.path;
  return (
    <aside class={isMenuOpen.value ? 'side open' : 'side'} id="menu">
      <a class="brand" href={hrefOf([])}>
        <Icon name="policy" /> {texts.surety}
      </a>
      <nav aria-label={texts.views}>
        {groupsOf(session).map(({ title, items }) => (
          <div key={title}>
            {title !== undefined && <h2 class="nav-title">{title}</h2>}
            <ul class="nav">
              {items.map(({ name, icon }) => (
                <SidebarLink
                  key={name}
                  name={name}
                  title={viewTitle(name) ?? name}
                  icon={icon}
                  isCurrent={current === name}
                  count={countOf(name)}
                />
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </aside>
  );
}

interface SidebarLinkProps {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly isCurrent: boolean;
  /** How much of it waits. */
  readonly count: number | undefined;
}

function SidebarLink({ name, title, icon, isCurrent, count }: SidebarLinkProps) {
  return (
    <li>
      <a
        href={hrefOf(name === '' ? [] : [name])}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={() => (isMenuOpen.value = false)}
      >
        <Icon name={icon} />
        {title}
        {count !== undefined && count > 0 && <span class="count">{count}</span>}
      </a>
    </li>
  );
}

/** Returns how much waits in a list. */
function countOf(name: string): number | undefined {
  const counts = work.value;
  if (counts === undefined) return undefined;
  if (name === 'claims') return Object.values(counts.claims).reduce((sum, count) => sum + count, 0);
  if (name === 'renewals') return counts.renewals_due;
  if (name === 'parked') return counts.parked_documents;
  return name === 'mails' ? counts.parked_mails : undefined;
}
