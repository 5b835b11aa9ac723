import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { Downloads } from './audit/downloads.tsx';
import { Portfolio } from './audit/portfolio.tsx';
import { OneVerification, Verifications } from './audit/verifications.tsx';
import { Failure } from './components/load-status.tsx';
import { Mode } from './components/mode.tsx';
import { ShortcutSwitch } from './components/shortcuts.tsx';
import { FindBox } from './find/find-box.tsx';
import { FindResults, RecentFinds } from './find/find-results.tsx';
import { MerchantList } from './lists/merchants.tsx';
import { MERCHANT_VIEWS } from './lists/views.ts';
import { Mails } from './operate/mails.tsx';
import { ParkedDocuments } from './operate/parked.tsx';
import { Rebuilds } from './operate/rebuilds.tsx';
import { InstallationStatus } from './operate/status.tsx';
import { ClaimPage } from './resources/claim-page.tsx';
import { CustomerPage } from './resources/customer-page.tsx';
import { MerchantPage } from './resources/merchant-page.tsx';
import { PolicyPage } from './resources/policy-page.tsx';
import { hrefOf, route } from './route.ts';
import { chooseEnvironment, type Session, session, signOut } from './session.ts';
import { SignIn, TicketSignIn } from './sign-in.tsx';
import { texts } from './texts.ts';
import { ticket } from './ticket.ts';

/** Views of a platform key, by the first part of their address. */
const PLATFORM_VIEWS = {
  merchants: [texts.merchants, MerchantList],
  portfolio: [texts.portfolio, Portfolio],
  verifications: [texts.verifications, Verifications],
  downloads: [texts.downloads, Downloads],
  status: [texts.installationStatus, InstallationStatus],
  parked: [texts.parkedDocuments, ParkedDocuments],
  mails: [texts.mails, Mails],
  rebuilds: [texts.rebuilds, Rebuilds],
} as const;

const RESOURCE_PAGES = {
  policies: [texts.policy, PolicyPage],
  claims: [texts.claim, ClaimPage],
  customers: [texts.customer, CustomerPage],
  merchants: [texts.merchant, MerchantPage],
} as const;

export function App() {
  const current = session.value;
  if (ticket.value !== undefined) return <TicketSignIn ticket={ticket.value} />;
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

/**
 * Renders the current view, moves the focus to it and sets the page title. An error in the view replaces it until the
 * address changes.
 */
function Main({ session: current }: { readonly session: Session }) {
  const boundary = useErrorBoundary(reportError);
  const error: unknown = boundary[0];
  const resetError = boundary[1];
  const main = useRef<HTMLElement>(null);
  const address = JSON.stringify(route.value);
  const view = hrefOf(route.value.path);
  useEffect(resetError, [address]);
  useEffect(() => {
    document.title = titleOf(route.value.path);
    main.current?.focus();
  }, [view]);
  return (
    <main ref={main} tabIndex={-1}>
      {route.value.ignored.length > 0 && (
        <p class="notice" role="alert">
          {texts.ignoredParameters(route.value.ignored.join(', '))}
        </p>
      )}
      {error === undefined ? <View key={view} session={current} /> : <Failure error={error} />}
    </main>
  );
}

/** Returns the title of a page: its view, and the id that is in the address. */
function titleOf([kind = '', id = '']: readonly string[]): string {
  const views: Views = {
    find: [texts.find, FindResults],
    ...MERCHANT_VIEWS,
    ...PLATFORM_VIEWS,
    ...(id === '' ? {} : RESOURCE_PAGES),
  };
  return [isNameOf(views, kind) ? views[kind]?.[0] : undefined, id, texts.surety].filter(Boolean).join(' · ');
}

function Header({ session: current }: { readonly session: Session }) {
  const { me } = current;
  return (
    <header class="top">
      <a class="brand" href={hrefOf([])}>
        {texts.surety}
      </a>
      <FindBox session={current} />
      <nav aria-label={texts.views}>
        <ViewLinks session={current} />
      </nav>
      <span class="who">
        <EnvironmentChoice session={current} />
        {me.environment !== null && <Mode isTest={me.environment.test_mode} />} <bdi>{me.person?.name ?? me.label}</bdi>{' '}
        <span class="quiet">({texts.roles[me.role]})</span>{' '}
        <button type="button" onClick={() => void signOut()}>
          {texts.signOut}
        </button>
      </span>
    </header>
  );
}

/** The environments in which a person of a merchant works without a key. */
function EnvironmentChoice({ session: { me } }: { readonly session: Session }) {
  if (me.environments.length < 2) return null;
  return (
    <select
      aria-label={texts.environment}
      value={String(me.environment?.id)}
      onChange={(event) => void chooseEnvironment(event.currentTarget.value)}
    >
      {me.environments.map(({ id, name }) => (
        <option key={id} value={String(id)}>
          {name}
        </option>
      ))}
    </select>
  );
}

type Views = Readonly<Record<string, readonly [string, unknown]>>;

/** Links to what the key may look at. */
function ViewLinks({ session: { me } }: { readonly session: Session }) {
  const [current = ''] = route.value.path;
  const views: Views = me.merchant === null ? PLATFORM_VIEWS : MERCHANT_VIEWS;
  return (
    <ul>
      {Object.entries(views).map(([name, [title]]) => (
        <li key={name}>
          <a href={hrefOf([name])} aria-current={current === name ? 'page' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}

function View({ session: current }: { readonly session: Session }) {
  const { path, query } = route.value;
  const [kind = '', id = ''] = path;
  const { merchant, environment } = current.me;
  if (kind === '') return <Home session={current} />;
  if (kind === 'find') return <FindResults />;
  if (id !== '' && isNameOf(RESOURCE_PAGES, kind)) {
    const Page = RESOURCE_PAGES[kind][1];
    return <Page id={id} session={current} />;
  }
  if (merchant === null && id !== '' && kind === 'verifications') return <OneVerification id={id} session={current} />;
  if (merchant === null && isNameOf(PLATFORM_VIEWS, kind)) {
    const PlatformView = PLATFORM_VIEWS[kind][1];
    return <PlatformView session={current} />;
  }
  // A platform key names the merchant of a list; the address of a list also names merchant and mode of the key that
  // made it.
  const { merchant: code = merchant?.short_code, test_mode } = query;
  const isForAnotherKey =
    merchant !== null &&
    (code !== merchant.short_code || (test_mode ?? `${environment?.test_mode}`) !== `${environment?.test_mode}`);
  if (isForAnotherKey || !isNameOf(MERCHANT_VIEWS, kind)) return <Notice text={texts.noSuchView} />;
  if (code === undefined)
    return (
      <Notice text={texts.merchantMissing}>
        <a href={hrefOf(['merchants'])}>{texts.merchants}</a>
      </Notice>
    );
  const List = MERCHANT_VIEWS[kind][1];
  return <List key={code} session={current} code={code} />;
}

/** Says why a view is not there. */
function Notice({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <>
      <h1>{texts.surety}</h1>
      <p class="notice" role="status">
        {text} {children}
      </p>
    </>
  );
}

function Home({ session: current }: { readonly session: Session }) {
  const { merchant, environment } = current.me;
  return (
    <>
      <h1>
        <bdi>{merchant?.name ?? texts.surety}</bdi>{' '}
        {environment !== null && <bdi class="quiet">{environment.name}</bdi>}
      </h1>
      <RecentFinds />
      <ViewLinks session={current} />
    </>
  );
}

function isNameOf<T extends object>(views: T, name: string): name is keyof T & string {
  return Object.hasOwn(views, name);
}
