import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { mayExecute } from './actions/commands.ts';
import { lateComponent } from './components/late-component.tsx';
import { Failure } from './components/load-status.tsx';
import { ShortcutHelp } from './components/shortcuts.tsx';
import { FindResults } from './find/find-results.tsx';
import { Home } from './home/home.tsx';
import { useWork } from './home/work.ts';
import { MERCHANT_VIEWS } from './lists/views.ts';
import { ClaimPage } from './resources/claim-page.tsx';
import { CustomerPage } from './resources/customer-page.tsx';
import { MerchantPage } from './resources/merchant-page.tsx';
import { PolicyPage } from './resources/policy-page.tsx';
import { lastDone } from './requests/changes.ts';
import { hrefOf, route } from './route.ts';
import { type Session, session } from './session.ts';
import { Sidebar } from './shell/sidebar.tsx';
import { Top } from './shell/top.tsx';
import { mayOpen, VIEWS, viewTitle } from './shell/views.ts';
import { SignIn, TicketSignIn } from './sign-in.tsx';
import { texts } from './texts.ts';
import { ticket } from './ticket.ts';

interface PageProps {
  readonly id: string;
  readonly session: Session;
}

const RESOURCE_PAGES = {
  policies: [texts.policy, PolicyPage],
  claims: [texts.claim, ClaimPage],
  customers: [texts.customer, CustomerPage],
  merchants: [texts.merchant, MerchantPage],
  insurers: [texts.insurer, lateComponent('InsurerPage')],
  products: [texts.product, lateComponent('ProductPage')],
  persons: [texts.persons, lateComponent('PersonPage')],
} as const;

const NewQuote: ComponentType<{ readonly session: Session }> = lateComponent('NewQuote');
const OneVerification: ComponentType<PageProps> = lateComponent('OneVerification');

export function App() {
  const current = session.value;
  if (ticket.value !== undefined) return <TicketSignIn ticket={ticket.value} />;
  if (current === undefined) return <SignIn />;
  return <Frame session={current} />;
}

function Frame({ session: current }: { readonly session: Session }) {
  useWork(current);
  return (
    <div class="frame">
      <Sidebar session={current} />
      <div class="page">
        <Top session={current} />
        <Main session={current} />
        <footer>
          <ShortcutHelp />
        </footer>
      </div>
    </div>
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
    return () => {
      if (lastDone.value?.view === view) lastDone.value = undefined;
    };
  }, [view]);
  return (
    <main ref={main} tabIndex={-1}>
      {route.value.ignored.length > 0 && (
        <p class="notice" role="alert">
          {texts.ignoredParameters(route.value.ignored.join(', '))}
        </p>
      )}
      {lastDone.value?.view === view && (
        <p class="say good" role="status">
          {texts.done(lastDone.value.command)}
          {lastDone.value.about !== undefined && (
            <>
              , <bdi>{lastDone.value.about}</bdi>
            </>
          )}
          .
        </p>
      )}
      {error === undefined ? <View key={view} session={current} /> : <Failure error={error} />}
    </main>
  );
}

/** Returns the title of a page: its view, and the id that is in the address. */
function titleOf([kind = '', id = '']: readonly string[]): string {
  const page =
    kind === '' ? undefined : id !== '' && isNameOf(RESOURCE_PAGES, kind) ? RESOURCE_PAGES[kind][0] : viewTitle(kind);
  return [kind === 'find' ? texts.find : page, id, texts.surety].filter(Boolean).join(' · ');
}

function View({ session: current }: { readonly session: Session }) {
  const { path, query } = route.value;
  const [kind = '', id = ''] = path;
  const { merchant, environment } = current.me;
  if (kind === '') return <Home session={current} />;
  if (kind === 'find') return <FindResults />;
  if (kind === 'quote' && mayExecute(current, 'RequestQuotes')) return <NewQuote session={current} />;
  if (id !== '' && isNameOf(RESOURCE_PAGES, kind)) {
    const Page = RESOURCE_PAGES[kind][1];
    return <Page id={id} session={current} />;
  }
  if (merchant === null && id !== '' && kind === 'verifications') return <OneVerification id={id} session={current} />;
  // A list of one merchant has the same name as that of all.
  const isOfMerchant = merchant !== null || query['merchant'] !== undefined;
  if (mayOpen(current, kind) && Object.hasOwn(VIEWS, kind) && !(isOfMerchant && isNameOf(MERCHANT_VIEWS, kind))) {
    const Component = VIEWS[kind]?.component;
    if (Component !== undefined) return <Component session={current} />;
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

function isNameOf<T extends object>(views: T, name: string): name is keyof T & string {
  return Object.hasOwn(views, name);
}
