import { replaceQuery, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

/** Names the mode of a thing: live or test. */
export function Mode({ isTest }: { readonly isTest: boolean }) {
  return <span class={`badge ${isTest ? 'warn' : 'good'}`}>{isTest ? texts.test : texts.live}</span>;
}

/** Returns whether a list shows test mode: that of the key's environment, or the choice of a platform key. */
export function isTestMode({ me }: Session): boolean {
  return me.environment?.test_mode ?? route.value.query['test_mode'] === 'true';
}

/** Returns the parameter of the mode. A merchant's key has one mode and takes none. */
export function modeQuery(session: Session): { readonly test_mode?: boolean } {
  return session.me.merchant === null && isTestMode(session) ? { test_mode: true } : {};
}

/** Switches test mode on and off, for a platform key. */
export function ModeFilter({ session }: { readonly session: Session }) {
  if (session.me.merchant !== null) return null;
  return (
    <label>
      <input
        type="checkbox"
        checked={isTestMode(session)}
        onChange={({ currentTarget }) => replaceQuery({ test_mode: String(currentTarget.checked) })}
      />{' '}
      {texts.testMode}
    </label>
  );
}
