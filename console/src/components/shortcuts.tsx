import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
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

/** Switches the keys off for this browser: they disturb speech input (WCAG 2.1.4). */
export function ShortcutSwitch() {
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
      {texts.shortcuts}
    </label>
  );
}
