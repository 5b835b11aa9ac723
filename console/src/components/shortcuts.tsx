import { signal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { texts } from '../texts.ts';
import { isTyping } from './form.ts';

const OFF = 'surety.shortcuts.off';
const isOff = signal(localStorage.getItem(OFF) !== null);

/** Runs an action when a key is pressed alone, not while a person types, and not after the keys were switched off. */
export function useShortcut(key: string, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { ctrlKey, metaKey, altKey } = event;
      if (event.key !== key || isOff.value || isTyping(event) || ctrlKey || metaKey || altKey) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [key]);
}

/** The button that shows the keys, which the key `?` does too. */
export function ShortcutHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const show = (): void => {
    if (dialog.current?.open === false) dialog.current.showModal();
  };
  useShortcut('?', show);
  return (
    <>
      <button type="button" class="quiet" onClick={show}>
        {texts.shortcuts} <kbd>?</kbd>
      </button>
      <dialog ref={dialog} class="dialog" aria-labelledby={heading}>
        <header>
          <h2 id={heading}>{texts.shortcuts}</h2>
        </header>
        <div class="body stack">
          <dl class="facts">
            {texts.shortcutKeys.map(([key, use]) => (
              <div key={key}>
                <dt class="small quiet">
                  <kbd>{key}</kbd>
                </dt>
                <dd>{use}</dd>
              </div>
            ))}
          </dl>
          <ShortcutSwitch />
        </div>
        <footer>
          <button type="button" onClick={() => dialog.current?.close()}>
            {texts.close}
          </button>
        </footer>
      </dialog>
    </>
  );
}

/** Switches the keys off for this browser: they disturb speech input (WCAG 2.1.4). */
function ShortcutSwitch() {
  return (
    <label>
      <input
        type="checkbox"
        checked={!isOff.value}
        onChange={({ currentTarget: { checked } }) => {
          isOff.value = !checked;
          if (checked) localStorage.removeItem(OFF);
          else localStorage.setItem(OFF, 'true');
        }}
      />{' '}
      {texts.useShortcuts}
    </label>
  );
}
