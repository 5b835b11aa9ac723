import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { withoutInvisible } from '#event-sourcing/identifiers.ts';

const NOT_AN_ADDRESS = 'must be an e-mail address';
/** Of RFC 5321: octets of an address, of its local part, and of a domain. */
const MAX_ADDRESS = 254;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

/** Atoms of RFC 5322 with dots between them; RFC 6531 adds what is beyond ASCII. */
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+)*$/u;
const SPACE_OR_CONTROL = /[\p{Z}\p{Cc}\p{Cs}]/u;

/**
 * What a domain may contain before its other scripts are converted: `domainToASCII` reads the rest as parts of a URL.
 */
const DOMAIN = /^[A-Za-z0-9.\u{80}-\u{10ffff}-]+$/u;
const ASCII = /^\p{ASCII}*$/u;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
/** No address of IPv4 ends so. */
const LAST_LABEL = /[A-Za-z]/;

/**
 * An e-mail address of RFC 5321 without a quoted local part or an address literal. It is stored without outer spaces,
 * with a domain in other scripts as its A-labels (RFC 5890), so that there is one form of it.
 */
export const emailAddress = z
  .string()
  .trim()
  .overwrite(withAsciiDomain)
  .max(MAX_ADDRESS, { error: `must have at most ${MAX_ADDRESS} characters`, abort: true })
  .refine(isMailbox, NOT_AN_ADDRESS)
  .meta({ format: 'email' });

function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (address.length > MAX_ADDRESS || ASCII.test(domain) || !DOMAIN.test(domain)) return address;
  return address.slice(0, at) + domainToASCII(domain);
}

function isMailbox(address: string): boolean {
  if (Buffer.byteLength(address) > MAX_ADDRESS) return false;
  const at = address.lastIndexOf('@');
  return at > 0 && isLocalPart(address.slice(0, at)) && isDomain(address.slice(at + 1));
}

/** Each atom has a character that is seen. */
function isLocalPart(local: string): boolean {
  return (
    Buffer.byteLength(local) <= MAX_LOCAL && !SPACE_OR_CONTROL.test(local) && DOT_ATOM.test(withoutInvisible(local))
  );
}

/** Has at least two labels: one alone is no domain that the world knows. */
function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  return (
    domain.length <= MAX_DOMAIN &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    LAST_LABEL.test(last)
  );
}
