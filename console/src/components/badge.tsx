import { labelOf } from '../format.ts';
import { texts } from '../texts.ts';

type Meaning = 'good' | 'info' | 'warn' | 'bad' | 'calm';

/**
 * What a state means: good holds, info is in somebody's hands, warn waits for something, bad is late or wrong. What is
 * over is calm, as all others are.
 */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  in_force: 'good',
  active: 'good',
  paid: 'good',
  approved: 'good',
  completed: 'good',
  sent: 'good',
  pending: 'info',
  submitted: 'info',
  'under review': 'info',
  'offer accepted': 'info',
  'part paid': 'info',
  reopened: 'info',
  'pending approval': 'warn',
  'offer sent': 'warn',
  'offer rejected': 'bad',
  'payment reversed': 'bad',
  running: 'info',
  requested: 'info',
  offer_accepted: 'info',
  offer_sent: 'warn',
  waiting: 'warn',
  not_begun: 'warn',
  upcoming: 'warn',
  gap: 'bad',
  denied: 'bad',
  failed: 'bad',
  parked: 'bad',
};

/** The age of something open, in the colour of how long it waits. */
export function AgeBadge({ days }: { readonly days: number }) {
  return <span class={`badge ${days > 7 ? 'bad' : days > 4 ? 'warn' : 'calm'}`}>{texts.days(Math.max(0, days))}</span>;
}

/** Names a state, in the colour of what it means. */
export function Tag({ name }: { readonly name: string }) {
  return <span class={`badge ${MEANINGS[name] ?? 'calm'}`}>{labelOf(name)}</span>;
}
