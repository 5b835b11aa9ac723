import { useRef } from 'preact/hooks';
import { textOf } from '../components/form.ts';
import { Icon } from '../components/icon.tsx';
import { useShortcut } from '../components/shortcuts.tsx';
import { navigate, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { addressOf, rememberFind, search } from './recent.ts';

/** The box that finds anything by a name or number. "/" focuses it. Text that begins like a key is sent nowhere. */
export function FindBox({ session: { client, me } }: { readonly session: Session }) {
  const box = useRef<HTMLInputElement>(null);
  useShortcut('/', () => box.current?.focus());
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const text = textOf(form, 'text');
    const shortCode = textOf(form, 'short_code');
    const isTest = textOf(form, 'test_mode') !== '';
    if (text === '') return;
    navigate(['find']);
    if (/(^|=)sk_/.test(text)) {
      form.reset();
      search.value = { kind: 'refused-key' };
      return;
    }
    const pending: typeof search.value = { kind: 'loading' };
    search.value = pending;
    // A newer search or another key has replaced this one.
    const isSuperseded = (): boolean => search.value !== pending;
    try {
      const results = await client.find({
        text,
        ...(shortCode === '' ? {} : { short_code: shortCode }),
        ...(isTest ? { test_mode: true } : {}),
      });
      if (isSuperseded()) return;
      search.value = { kind: 'done', results, isIncomplete: client.isIncomplete(results) };
      // What was typed meanwhile stays.
      if (box.current?.value.trim() === text) box.current.value = '';
      const [only] = results;
      if (only === undefined || results.length > 1 || route.value.path[0] !== 'find') return;
      rememberFind(only);
      navigate(...addressOf(only, text));
    } catch (error) {
      if (!isSuperseded()) search.value = { kind: 'failed', error };
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
      <div class="box">
        <Icon name="find" />
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
        <kbd>/</kbd>
      </div>
      {me.merchant === null && (
        <input
          name="short_code"
          class="short-code"
          maxLength={8}
          autoComplete="off"
          aria-label={texts.ofMerchant}
          placeholder={texts.shortCode}
        />
      )}
      {me.merchant === null && (
        <label>
          <input name="test_mode" type="checkbox" /> {texts.testData}
        </label>
      )}
      <button type="submit" class="hidden">
        {texts.find}
      </button>
    </form>
  );
}
