import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { Book } from './audit/book.tsx';
import { Downloads } from './audit/downloads.tsx';
import { OneVerification, Verifications } from './audit/verification.tsx';
import { FindBox, FindResults, Recent } from './find/find.tsx';
import { ClaimLife } from './life/claim.tsx';
import { CustomerLife } from './life/customer.tsx';
import { MerchantLife } from './life/merchant.tsx';
import { PolicyLife } from './life/policy.tsx';
import { MerchantList } from './lists/merchants.tsx';
import { MERCHANT_VIEWS } from './lists/views.ts';
import { InstallationStatus } from './operate/status.tsx';
import { Mails, ParkedDocuments, Rebuilds } from './operate/work.tsx';
import { Failure, Mode } from './parts/failure.tsx';
import { ShortcutSwitch } from './parts/shortcuts.tsx';
import { hrefOf, route } from './route.ts';
import { type Session, session, signOut } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { texts } from './texts.ts';

export function App() {
  const current = session.value;
  if (current === undefined) return <SignIn />;
  return (
    <>
      <Header session={current} />
      <Main session={current} />
      <footer>
        <ShortcutSwitch />
      </footer>
    </>
  );
}

/** The shown view: it gets the focus and names the page when it is opened. What goes wrong in it is shown instead, until another is opened. */
function Main({ session: current }: { readonly session: Session }) {
  const boundary = useErrorBoundary();
  const error: unknown = boundary[0];
  const main = useRef<HTMLElement>(null);
  const address = JSON.stringify(route.value);
  const view = hrefOf(route.value.path);
  useEffect(boundary[1], [address]);
  useEffect(() => {
    document.title = titleOf(route.value.path);
    main.current?.focus();
  }, [view]);
  return (
    <main ref={main} tabIndex={-1}>
      {error === undefined ? <View key={view} session={current} /> : <Failure error={error} />}
    </main>
  );
}

/** Returns the title of a page: its view, and the id that is in the address anyway. */
function titleOf([kind = '', id = '']: readonly string[]): string {
  const views: Views = { ...MERCHANT_VIEWS, ...AUDIT_VIEWS, ...OPERATOR_VIEWS };
  const name = id !== '' && isNameOf(LIVES, kind) ? LIVES[kind][0] : Object.hasOwn(views, kind) ? views[kind]?.[0] : '';
  return [name, id, texts.product].filter(Boolean).join(' · ');
}

function Header({ session: current }: { readonly session: Session }) {
  const { me } = current;
  return (
    <header class="top">
      <a class="brand" href={hrefOf([])}>
        {texts.product}
      </a>
      <FindBox session={current} />
      <Navigation session={current} />
      <span class="who">
        {me.environment !== null && <Mode isTest={me.environment.test_mode} />} <bdi>{me.label}</bdi>{' '}
        <span class="quiet">({texts.roles[me.role]})</span>{' '}
        <button type="button" onClick={signOut}>
          {texts.signOut}
        </button>
      </span>
    </header>
  );
}

/** Views of a key of the platform, by the first part of their address. */
const AUDIT_VIEWS = {
  merchants: [texts.merchants, MerchantList],
  book: [texts.book, Book],
  verifications: [texts.verifications, Verifications],
  downloads: [texts.downloads, Downloads],
} as const;
const OPERATOR_VIEWS = {
  status: [texts.operation, InstallationStatus],
  parked: [texts.parkedDocuments, ParkedDocuments],
  mails: [texts.mails, Mails],
  rebuilds: [texts.rebuilds, Rebuilds],
} as const;

const LIVES = {
  policies: [texts.policy, PolicyLife],
  claims: [texts.claim, ClaimLife],
  customers: [texts.customer, CustomerLife],
  merchants: [texts.merchant, MerchantLife],
} as const;

type Views = Readonly<Record<string, readonly [string, unknown]>>;

/** What the key may look at. */
function Navigation({ session: { me } }: { readonly session: Session }) {
  const [shown = ''] = route.value.path;
  const views: Views = me.merchant === null ? { ...AUDIT_VIEWS, ...OPERATOR_VIEWS } : MERCHANT_VIEWS;
  return (
    <nav aria-label={texts.views}>
      <ul>
        {Object.entries(views).map(([name, [title]]) => (
          <li key={name}>
            <a href={hrefOf([name])} aria-current={shown === name ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function View({ session: current }: { readonly session: Session }) {
  const [kind = '', id = ''] = route.value.path;
  const { merchant } = current.me;
  if (id !== '') {
    if (isNameOf(LIVES, kind)) {
      const Shown = LIVES[kind][1];
      return <Shown id={id} session={current} />;
    }
    if (kind === 'verifications') return <OneVerification id={id} session={current} />;
  }
  if (kind === 'find') return <FindResults />;
  // A platform key names the merchant of a list.
  const code = merchant?.short_code ?? route.value.query['merchant'];
  if (isNameOf(MERCHANT_VIEWS, kind) && code !== undefined) {
    const Shown = MERCHANT_VIEWS[kind][1];
    return <Shown key={code} session={current} code={code} />;
  }
  if (merchant === null && isNameOf(AUDIT_VIEWS, kind)) {
    const Shown = AUDIT_VIEWS[kind][1];
    return <Shown session={current} />;
  }
  if (merchant === null && isNameOf(OPERATOR_VIEWS, kind)) {
    const Shown = OPERATOR_VIEWS[kind][1];
    return <Shown session={current} />;
  }
  return (
    <>
      <h1>{merchant?.name ?? texts.product}</h1>
      <Recent />
    </>
  );
}

function isNameOf<T extends object>(views: T, name: string): name is keyof T & string {
  return Object.hasOwn(views, name);
}
