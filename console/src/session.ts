import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Me, SuretyClient, UnauthorizedError } from '../../clients/typescript/src/index.ts';
import { dayOf } from './format.ts';

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
export const endOfSession = signal<'signed-out' | 'idle' | 'invalid' | undefined>(undefined);
/** Why the key of the tab could not be used after a reload, though it may be valid. */
export const resumeError = signal<unknown>(undefined);
/** Whether the key of the tab is being checked after a reload. */
export const isResuming = signal(false);
/** The instant of the last response, by the clock of the service. */
const serviceTime = signal(new Date());

const todays = new Map<string, ReadonlySignal<string>>();

/**
 * Returns the day in a time zone by the clock of the service. A view that reads it is rendered again when the day
 * changes.
 */
export function todayIn(timeZone: string): string {
  const known = todays.get(timeZone);
  if (known !== undefined) return known.value;
  const today = computed(() => dayOf(serviceTime.value, timeZone));
  todays.set(timeZone, today);
  return today.value;
}

/**
 * Returns the address under which the service has its API: the console is served beside it, perhaps below a path of a
 * proxy.
 */
export function apiUrl(): string {
  return new URL('..', location.href.replace(/[?#].*/, '')).href;
}

/** Returns the time zone of the environment of a key; UTC for a key of the platform. */
export function zoneOf({ me }: Session): string {
  return me.environment?.time_zone ?? 'UTC';
}

function clientOf(key: string): SuretyClient {
  const client = new SuretyClient({
    key,
    url: apiUrl(),
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
  recordUse();
  endOfSession.value = undefined;
  resumeError.value = undefined;
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
}

function recordUse(): void {
  sessionStorage.setItem(LAST_USE, String(Date.now()));
}

function isIdle(): boolean {
  // A clock that was set back must not keep the key.
  return Math.abs(Date.now() - Number(sessionStorage.getItem(LAST_USE))) > IDLE_MS;
}

/** Forgets the key after 30 minutes without use. */
export function endSessionWhenIdle(): void {
  for (const event of ['pointerdown', 'keydown'])
    addEventListener(event, () => {
      if (session.value === undefined) return;
      if (isIdle()) end('idle');
      else recordUse();
    });
  setInterval(() => {
    if (sessionStorage.getItem(KEY) !== null && isIdle()) end('idle');
  }, 10_000);
}

/** Continues with the key of the tab after a reload. */
export async function resume(): Promise<void> {
  const key = sessionStorage.getItem(KEY);
  if (key === null) return;
  if (isIdle()) return end('idle');
  isResuming.value = true;
  resumeError.value = undefined;
  await signIn(key).catch((error: unknown) => {
    if (error instanceof UnauthorizedError) end('invalid');
    else resumeError.value = error;
  });
  isResuming.value = false;
}
