import { type PolicyDocument, resourceAt } from '../projections/policies/policies.ts';
import { resourceJsonOf } from '../projections/resource.ts';
import type { Moment } from '../src/event-sourcing/time.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { parseBody } from './stored-documents.ts';

/**
 * Returns the JSON text of the resource of a policy at a moment. The stored resource is right until the moment in the index
 * `shown_until`, when another term is shown.
 */
export function policyJsonAt(stored: StoredDocument, now: Moment): string {
  const { shown_until: until } = stored.indexes;
  if (stored.body !== undefined && (typeof until !== 'string' || now < until)) return resourceJsonOf(stored.body);
  return JSON.stringify(resourceAt(parseBody(stored) as PolicyDocument, now));
}
