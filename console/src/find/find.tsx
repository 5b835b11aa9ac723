import { useRef } from 'preact/hooks';
import { Failure, Mode } from '../parts/failure.tsx';
import { textOf } from '../parts/form.ts';
import { useShortcut } from '../parts/shortcuts.tsx';
import { go, hrefOf, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { type Found, outcome, recentFinds, rememberFind } from './recent.ts';

/** The box that finds anything by its number. "/" focuses it. Text that begins like a key is sent nowhere. */
export function FindBox({ session: { client, me } }: { readonly session: Session }) {
  const box = useRef<HTMLInputElement>(null);
  useShortcut('/', () => box.current?.focus());
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const text = textOf(form, 'text');
    const shortCode = textOf(form, 'short_code');
    if (text === '') return;
    go(['find']);
    if (text.startsWith('sk_')) {
      form.reset();
      outcome.value = { kind: 'key' };
      return;
    }
    const own: typeof outcome.value = { kind: 'loading' };
    outcome.value = own;
    // Another search, or another key, has taken over.
    const isOver = (): boolean => outcome.value !== own;
    try {
      const results = await client.find({ text, ...(shortCode === '' ? {} : { short_code: shortCode }) });
      if (isOver()) return;
      outcome.value = { kind: 'found', results };
      const [only] = results;
      form.reset();
      if (only !== undefined && results.length === 1 && route.value.path[0] === 'find') open(only);
    } catch (error) {
      if (!isOver()) outcome.value = { kind: 'failed', error };
    }
  };
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <input
        ref={box}
        name="text"
        type="search"
        maxLength={255}
        autoComplete="off"
        spellcheck={false}
        aria-label={texts.findLabel}
        placeholder={texts.findLabel}
      />
      {me.merchant === null && (
        <input
          name="short_code"
          class="short-code"
          maxLength={8}
          autoComplete="off"
          aria-label={texts.ofMerchant}
          placeholder={texts.ofMerchant}
        />
      )}
      <button type="submit">
        {texts.find} <kbd>/</kbd>
      </button>
    </form>
  );
}

const PATHS = { policy: 'policies', claim: 'claims', customer: 'customers', merchant: 'merchants' } as const;

function addressOf({ kind, id }: Pick<Found, 'kind' | 'id'>): string[] {
  return [PATHS[kind], id];
}

function open(found: Found): void {
  rememberFind(found);
  go(addressOf(found));
}

/** What was found, or what was found before in this tab: kinds and ids only, never what was typed. */
export function FindResults() {
  const shown = outcome.value;
  return (
    <>
      <h1>{texts.results}</h1>
      {shown?.kind === 'loading' && (
        <p class="quiet" role="status">
          {texts.loading}
        </p>
      )}
      {shown?.kind === 'failed' && <Failure error={shown.error} />}
      {shown?.kind === 'key' && (
        <p class="failure" role="alert">
          {texts.notAKey}
        </p>
      )}
      {shown?.kind === 'found' && shown.results.length === 0 && <p role="status">{texts.nothingFound}</p>}
      {shown?.kind === 'found' && <FoundList results={shown.results} />}
      <Recent />
    </>
  );
}

function FoundList({ results }: { readonly results: readonly Found[] }) {
  return (
    <ul class="found">
      {results.map((found) => (
        <li key={`${found.kind} ${found.id}`}>
          <a href={hrefOf(addressOf(found))} onClick={() => rememberFind(found)}>
            {texts.kinds[found.kind]} <bdi>{found.number ?? found.id}</bdi>
          </a>{' '}
          <span class="quiet">{found.merchant_short_code}</span>{' '}
          {found.test_mode !== null && <Mode isTest={found.test_mode} />}
        </li>
      ))}
    </ul>
  );
}

export function Recent() {
  const finds = recentFinds.value;
  if (finds.length === 0) return <p class="quiet">{texts.findHelp}</p>;
  return (
    <section>
      <h2>{texts.recent}</h2>
      <ul class="found">
        {finds.map((one) => (
          <li key={`${one.kind} ${one.id}`}>
            <a href={hrefOf(addressOf(one))}>
              {texts.kinds[one.kind]} <code>{one.id}</code>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
