import type { Instant } from '#event-sourcing/time.ts';
import { localTime, UTC } from '#domain/values/dates.ts';
import { escapeHtml } from './escape-html.ts';
import type { MailContent } from './mail.ts';

export interface MessageContext {
  /** Public base URL of Surety, without a trailing slash. */
  readonly origin: string;
  readonly supportEmail: string | undefined;
}

type Part = string | { readonly label: string; readonly link: string };

export function verificationMessage(
  details: { readonly name: string; readonly shortCode: string; readonly token: string; readonly expiresAt: Instant },
  context: MessageContext,
): MailContent {
  const { name, shortCode, token, expiresAt } = details;
  const path = `/onboarding/verify/${encodeURIComponent(shortCode)}?token=${encodeURIComponent(token)}`;
  return messageOf('Verify your e-mail address for Surety', [
    `Hello ${name},`,
    'you were registered as a merchant of Surety. Please confirm that this e-mail address is yours: open the link and press the button there.',
    { label: 'Verify your e-mail address', link: `${context.origin}${path}` },
    `The link is good for 24 hours, until ${localTime(expiresAt, UTC)} UTC.`,
    `If you need help, ${supportContact(context)}.`,
    'If you did not ask to be registered, ignore this message: without your confirmation nothing happens.',
  ]);
}

export function onboardingMessage(
  details: { readonly name: string; readonly tenantId: string; readonly shortCode: string },
  context: MessageContext,
): MailContent {
  const { name, tenantId, shortCode } = details;
  return messageOf('Welcome to Surety', [
    `Hello ${name},`,
    'your e-mail address is verified, and your merchant account is active.',
    `Tenant id: ${tenantId}`,
    `Merchant short code: ${shortCode}`,
    'First steps: ask your Surety contact for an API key of your test environment, send it in the header X-API-Key, and request your first quote. The API reference shows every operation with examples.',
    { label: 'API reference', link: `${context.origin}/docs/` },
    `If you need help, ${supportContact(context)}. If somebody on your team misses this message, they can quote the code ONBOARDING_MSG_NOT_RECEIVED to support.`,
    `If you did not sign up with Surety, ${supportContact(context)}, and ignore this message.`,
  ]);
}

function supportContact({ supportEmail }: MessageContext): string {
  return supportEmail === undefined ? 'contact the support of Surety' : `write to ${supportEmail}`;
}

function messageOf(subject: string, parts: readonly Part[]): MailContent {
  const text = parts.map((part) => (typeof part === 'string' ? part : `${part.label}:\n${part.link}`));
  const html = parts.map((part) => (typeof part === 'string' ? `<p>${escapeHtml(part)}</p>` : linkHtml(part)));
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${html.join('\n')}\n</body></html>\n`,
  };
}

/** Also shows the address as text, for mail clients that disable links. */
function linkHtml({ label, link }: { readonly label: string; readonly link: string }): string {
  const address = escapeHtml(link);
  return `<p><a href="${address}">${escapeHtml(label)}</a><br>${address}</p>`;
}
