import { labelOf } from '../format.ts';

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
  in_review: 'info',
  review: 'info',
  submitted: 'info',
  running: 'info',
  requested: 'info',
  offer_accepted: 'info',
  offer_sent: 'warn',
  pending_approval: 'warn',
  documents_requested: 'warn',
  waiting: 'warn',
  not_begun: 'warn',
  upcoming: 'warn',
  gap: 'bad',
  denied: 'bad',
  failed: 'bad',
  parked: 'bad',
};

/** Names a state, in the colour of what it means. */
export function Tag({ name }: { readonly name: string }) {
  return <span class={`badge ${MEANINGS[name] ?? 'calm'}`}>{labelOf(name)}</span>;
}
