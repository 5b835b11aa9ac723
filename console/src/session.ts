import { signal } from '@preact/signals';
import { type Me, SuretyClient, UnauthorizedError } from '../../clients/typescript/src/index.ts';
import { forgetFinds } from './find/recent.ts';

/** A key that is in use in this tab. */
export interface Session {
  readonly client: SuretyClient;
  readonly me: Me;
}

const KEY = 'surety.key';
const LAST_USE = 'surety.lastUse';
const IDLE_MS = 30 * 60_000;

export const session = signal<Session | undefined>(undefined);
/** Why the tab has no key any more. */
export const endOfSession = signal<'signed-out' | 'idle' | 'invalid' | 'unreachable' | undefined>(undefined);
/** The instant of the last response, by the clock of the service. */
export const serviceTime = signal(new Date());

/** Returns the time zone of the environment of a key; UTC for a key of the platform. */
export function zoneOf({ me }: Session): string {
  return me.environment?.time_zone ?? 'UTC';
}

function clientOf(key: string): SuretyClient {
  const client = new SuretyClient({
    key,
    // The console lies beside the API, perhaps below a path of a proxy.
    url: new URL('..', location.href.replace(/[?#].*/, '')).href,
    fetch: async (url, init) => {
      // Nothing that a key may read stays in the cache of the browser.
      const response = await fetch(url, { ...init, cache: 'no-store' });
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) serviceTime.value = new Date(date);
      if (response.status === 401 && session.value?.client === client) end('invalid');
      return response;
    },
  });
  return client;
}

/** Signs in with a key, which this tab keeps. @throws {SuretyError} */
export async function signIn(key: string): Promise<void> {
  const client = clientOf(key);
  const me = await client.me();
  sessionStorage.setItem(KEY, key);
  noteUse();
  endOfSession.value = undefined;
  session.value = { client, me };
}

export function signOut(): void {
  end('signed-out');
}

function end(reason: 'signed-out' | 'idle' | 'invalid'): void {
  sessionStorage.removeItem(KEY);
  sessionStorage.removeItem(LAST_USE);
  endOfSession.value = reason;
  session.value = undefined;
  forgetFinds();
}

function noteUse(): void {
  sessionStorage.setItem(LAST_USE, String(Date.now()));
}

function isIdle(): boolean {
  return Date.now() - Number(sessionStorage.getItem(LAST_USE)) > IDLE_MS;
}

/** Continues with the key of the tab after a reload, and forgets it after 30 minutes without use. */
export async function resume(): Promise<void> {
  for (const event of ['pointerdown', 'keydown'])
    addEventListener(event, () => {
      if (session.value === undefined) return;
      if (isIdle()) end('idle');
      else noteUse();
    });
  setInterval(() => {
    if (sessionStorage.getItem(KEY) !== null && isIdle()) end('idle');
  }, 10_000);
  const key = sessionStorage.getItem(KEY);
  if (key === null) return;
  if (isIdle()) return end('idle');
  await signIn(key).catch((error: unknown) => {
    if (error instanceof UnauthorizedError) end('invalid');
    else endOfSession.value = 'unreachable';
  });
}
