import type { AnyCommand } from '../../command-handling/command.ts';
import { type ProblemCode, PROBLEM_TYPES } from '../messages/problem-types.ts';
import { type Route, sendsBody } from '../route.ts';
import { type Operation, takesIfMatch } from './operations-of.ts';

/** Returns all codes of an operation by status: those of its page, and those of its kind. */
export function codesOf(operation: Operation): ReadonlyMap<number, readonly ProblemCode[]> {
  const { route, page, command } = operation;
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...generalCodes(route, command), ...(page?.codes ?? [])])) {
    const { status } = PROBLEM_TYPES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  if (takesIfMatch(operation)) byStatus.set(412, ['precondition_failed']);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

function generalCodes(route: Route, command: AnyCommand | undefined): readonly ProblemCode[] {
  const codes: ProblemCode[] = ['invalid_request'];
  if (route.roles === 'anyone') return codes;
  codes.push('api_key_missing', 'api_key_invalid');
  if (!(['merchant', 'admin', 'auditor'] as const).every((role) => route.roles.includes(role))) {
    codes.push(route.wrongRoleCode);
  }
  if (route.roles.includes('merchant')) codes.push('rate_limited');
  if (sendsBody(route)) {
    codes.push('malformed_body', 'body_too_large', 'event_too_large', 'unsupported_media_type', 'busy');
    // A command with an identity from its input ignores the idempotency key.
    if (command?.identity === undefined) codes.push('idempotency_key_reused');
  } else if (route.kind === 'command') {
    codes.push('busy');
  } else if (route.kind === 'query') {
    codes.push('position_not_reached');
    if (route.reference.readsOnlyLog !== true) codes.push('read_models_building');
    if (route.path.includes('/:') && !route.reference.paged) codes.push('document_parked');
  }
  return [...codes, 'internal_error', 'unavailable'];
}
