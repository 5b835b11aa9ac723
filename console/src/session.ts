import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { type Me, NotFoundError, SuretyClient, UnauthorizedError } from '../../clients/typescript/src/index.ts';
import { dropAttempts } from './actions/attempts.ts';
import { dayOf } from './format.ts';

/** Who is signed in; the browser keeps the cookie of the session, for all tabs. */
export interface Session {
  readonly client: SuretyClient;
  readonly me: Me;
}

/** Who is signed in, so that the other tabs follow. */
const CALLER = 'surety.caller';
const LAST_USE = 'surety.lastUse';
/** The fragment of the address before the tab left for the issuer. */
const FRAGMENT = 'surety.fragment';
/** The environment that a person of a merchant has chosen. */
const ENVIRONMENT = 'surety.environment';
const IDLE_MS = 30 * 60_000;

export const session = signal<Session | undefined>(undefined);
/** Why there is no session any more. */
export const endOfSession = signal<'signed-out' | 'idle' | 'ended' | undefined>(undefined);
/** Why the session could not be used when the page was loaded, though it may be valid. */
export const resumeError = signal<unknown>(undefined);
/** Whether the page asks whether there is a session. */
export const isResuming = signal(false);
/** The instant of the last response, by the clock of the service. */
const serviceTime = signal(new Date());

/** Clients of sessions that have ended: what they still send would be sent as the next person. */
const ended = new WeakSet<SuretyClient>();

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

function newClient(): SuretyClient {
  const client = new SuretyClient({
    key: null,
    url: apiUrl(),
    fetch: async (url, init) => {
      if (ended.has(client)) return new Response(null, { status: 401 });
      // Nothing that a session may read stays in the cache of the browser.
      const response = await fetch(url, { ...init, headers: withEnvironment(init.headers), cache: 'no-store' });
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) serviceTime.value = new Date(date);
      if (response.status === 401 && session.value?.client === client) forget('ended');
      return ended.has(client) ? new Response(null, { status: 401 }) : response;
    },
  });
  return client;
}

function withEnvironment(init: HeadersInit | undefined): Headers {
  const headers = new Headers(init);
  const environment = localStorage.getItem(ENVIRONMENT);
  if (environment !== null) headers.set('Surety-Environment', environment);
  return headers;
}

/** Whether persons sign in at an issuer of OpenID Connect. */
export const hasIssuer = document.querySelector('meta[name="surety-sign-in"]')?.getAttribute('content') === 'openid';

/** Leaves for the issuer, which leads back to the page alone: what was asked for waits in this tab. */
export function signInAtIssuer(): void {
  sessionStorage.setItem(FRAGMENT, location.hash);
  recordUse();
  location.assign('../sign-in/');
}

function restoreFragment(): void {
  const fragment = sessionStorage.getItem(FRAGMENT);
  sessionStorage.removeItem(FRAGMENT);
  if (fragment !== null && location.hash === '') location.hash = fragment;
}

/** Shows another environment, in all tabs. */
export async function chooseEnvironment(id: string): Promise<void> {
  localStorage.setItem(ENVIRONMENT, id);
  await resume();
}

/** Exchanges a key or a ticket for a session. @throws {SuretyError} */
export async function signIn(body: Parameters<SuretyClient['session']['open']>[0]): Promise<void> {
  const client = newClient();
  await client.session.open(body);
  localStorage.removeItem(ENVIRONMENT);
  await begin(client);
}

/** @throws {SuretyError} */
async function begin(client: SuretyClient): Promise<void> {
  const me = await client.me().catch(async (error: unknown) => {
    // The environment is one that another person has chosen.
    if (!(error instanceof NotFoundError)) throw error;
    localStorage.removeItem(ENVIRONMENT);
    return await client.me();
  });
  localStorage.setItem(CALLER, `${me.key_id} ${me.person?.person_id} ${me.environment?.id}`);
  recordUse();
  restoreFragment();
  dropAttempts(me);
  endOfSession.value = undefined;
  resumeError.value = undefined;
  session.value = { client, me };
}

export async function signOut(reason: 'signed-out' | 'idle' = 'signed-out'): Promise<void> {
  forget(reason);
  await newClient()
    .session.end()
    .catch((error: unknown) => {
      resumeError.value = error;
    });
}

function forget(reason: NonNullable<typeof endOfSession.value>): void {
  localStorage.removeItem(CALLER);
  localStorage.removeItem(LAST_USE);
  localStorage.removeItem(ENVIRONMENT);
  // A session that has ended leaves what was not answered to the same person.
  if (reason !== 'ended') dropAttempts();
  endOfSession.value = reason;
  leaveSession();
}

function leaveSession(): void {
  if (session.value !== undefined) ended.add(session.value.client);
  session.value = undefined;
}

function recordUse(): void {
  localStorage.setItem(LAST_USE, String(Date.now()));
}

function isIdle(): boolean {
  const lastUse = localStorage.getItem(LAST_USE);
  // A clock that was set back must not keep the session.
  return lastUse !== null && Math.abs(Date.now() - Number(lastUse)) > IDLE_MS;
}

/** Signs out after 30 minutes without use in any tab, and follows the other tabs. */
export function watchSession(): void {
  for (const event of ['pointerdown', 'keydown'])
    addEventListener(event, () => {
      if (session.value === undefined) return;
      if (isIdle()) void signOut('idle');
      else recordUse();
    });
  setInterval(() => {
    if (session.value !== undefined && isIdle()) void signOut('idle');
  }, 10_000);
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== CALLER) return;
    if (newValue === null) forget('signed-out');
    else void resume();
  });
}

/** Continues with the session of the browser, if there is one. */
export async function resume(): Promise<void> {
  if (isIdle()) return void signOut('idle');
  isResuming.value = true;
  leaveSession();
  resumeError.value = undefined;
  await begin(newClient()).catch((error: unknown) => {
    if (!(error instanceof UnauthorizedError)) resumeError.value = error;
    else if (error.code !== 'api_key_missing') forget('ended');
  });
  isResuming.value = false;
}
