import { type PolicyDocument, resourceOn } from '../projections/policies/policies.ts';
import { resourceJsonOf } from '../projections/resource-document.ts';
import { todayOf } from '../src/domain/policy/cover.ts';
import type { Moment } from '../src/event-sourcing/time.ts';
import type { StoredDocument } from '../src/read-models/read-models.ts';
import { parseBody } from './stored-documents.ts';

/**
 * Returns the JSON text of the resource of a policy at a moment. The stored resource is still right until another term is shown,
 * which its index tells.
 */
export function policyJsonAt(stored: StoredDocument, now: Moment): string {
  const { shown_until: until } = stored.indexes;
  if (stored.body !== undefined && (typeof until !== 'string' || now < until)) return resourceJsonOf(stored.body);
  const document = parseBody(stored) as PolicyDocument;
  return JSON.stringify(resourceOn(document, todayOf(document.extra.life, now)));
}
